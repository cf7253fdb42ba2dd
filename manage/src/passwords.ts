import { randomBytes } from 'node:crypto'
import { createInterface, type Interface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError, Interrupted } from './failures.ts'
import type { Terminal } from './tools.ts'

/** For the help of commands; never an argument, which others on the machine could read. */
export const PASSWORD_STDIN =
  'take the password from the first line of the standard input, or ask for it there, instead of making one up'

/** What is printed instead of a password that the operator gave. */
export const AS_GIVEN = 'as given'

interface Chosen {
  readonly password: string
  /** For who has to be told it; null where the operator gave it: it stays out of logs and of what others see. */
  readonly told: string | null
}

/** The password that an operator chose, which a terminal doesn't show, or one that nobody guesses. */
export async function choosePassword(
  { stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>,
  fromStdin: boolean,
): Promise<Chosen> {
  if (!fromStdin) {
    const password = randomBytes(15).toString('base64url')
    return { password, told: password }
  }
  const password = await (stdin.isTTY
    ? askUnseen(stdin, stderr)
    : firstLine(createInterface({ input: stdin })))
  if (password !== null && password !== '') return { password, told: null }
  throw new CommandError('There is no password in the first line of the standard input')
}

/** Asks at a terminal, where what is typed is edited as ever and shown nowhere. Throws when it is broken off. */
async function askUnseen(stdin: Terminal['stdin'], stderr: Terminal['stderr']): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const typed = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 })
  let isInterrupted = false
  typed.once('SIGINT', () => {
    isInterrupted = true
    typed.close()
  })
  stderr.write('Password: ')
  const line = await firstLine(typed)
  stderr.write('\n')
  if (isInterrupted) throw new Interrupted('Nothing was done.')
  if (line === null) throw new CommandError('Nothing was done.')
  return line
}

/** Null where the input ends, or is broken off, without one. */
async function firstLine(lines: Interface): Promise<string | null> {
  try {
    for await (const line of lines) return line
    return null
  } finally {
    // Else a terminal goes on telling single keys, of which Ctrl-C is one.
    lines.close()
  }
}
