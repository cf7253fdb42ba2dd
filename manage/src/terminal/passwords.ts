import { randomBytes } from 'node:crypto'
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError, InterruptedError } from '../kernel/errors.ts'
import type { Terminal } from './command-action.ts'

/** For the help of commands. A password is never an argument: other users of the machine could read it. */
export const PASSWORD_STDIN_HELP =
  'read the password from the first line of standard input, or prompt for it on a terminal, instead of generating one'

/** Printed instead of a password that the operator supplied. */
export const PASSWORD_AS_GIVEN = 'as given'

interface ChosenPassword {
  readonly password: string
  /** The password for the output; null if the operator supplied it, which keeps it out of logs. */
  readonly printable: string | null
}

/** Reads the operator's password, without echo on a terminal, or generates one. */
export async function choosePassword(
  { stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>,
  fromStdin: boolean,
): Promise<ChosenPassword> {
  if (!fromStdin) {
    const password = randomBytes(15).toString('base64url')
    return { password, printable: password }
  }
  const password = await (stdin.isTTY
    ? readHiddenLine(stdin, stderr)
    : readFirstLine(createInterface({ input: stdin })))
  if (password !== null && password !== '') return { password, printable: null }
  throw new CommandError('The first line of standard input has no password')
}

/** Prompts without echo; the usual keys edit the line. Throws if the operator cancels. */
async function readHiddenLine(stdin: Terminal['stdin'], stderr: Terminal['stderr']): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const typed = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 })
  let isInterrupted = false
  typed.once('SIGINT', () => {
    isInterrupted = true
    typed.close()
  })
  stderr.write('Password: ')
  const line = await readFirstLine(typed)
  stderr.write('\n')
  if (isInterrupted) throw new InterruptedError('Cancelled; nothing was changed.')
  if (line === null) throw new CommandError('Cancelled; nothing was changed.')
  return line
}

/** Null if the input ends, or is cancelled, without a line. */
async function readFirstLine(lines: Interface): Promise<string | null> {
  try {
    for await (const line of lines) return line
    return null
  } finally {
    // Otherwise the terminal stays in raw mode, in which Ctrl-C is an ordinary key.
    lines.close()
  }
}
