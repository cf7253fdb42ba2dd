import { createInterface } from 'node:readline'
import { CommandError } from '../kernel/errors.ts'
import type { Terminal } from './command-action.ts'

/** For the help of commands. */
export const YES_HELP = 'do not ask for confirmation'

/** Asks for confirmation on the terminal, unless given already. Throws unless the answer is yes, and without a terminal. */
export async function confirm(
  terminal: Pick<Terminal, 'stdin' | 'stderr'>,
  question: string,
  isConfirmed: boolean,
): Promise<void> {
  if (isConfirmed) return
  const answer = await ask(
    terminal,
    `${question} [y/N]`,
    `${question} There is no terminal to confirm at: use --yes`,
  )
  if (!/^y(es)?$/i.test(answer)) throw new CommandError('Cancelled; nothing was changed.')
}

/** The same for what can't be undone: `name` must be typed, or be given already. */
export async function confirmByName(
  terminal: Pick<Terminal, 'stdin' | 'stderr'>,
  question: string,
  name: string,
  given: string | null,
): Promise<void> {
  const missing = `${question} There is no terminal to confirm at: use --confirm`
  const typed = given ?? (await ask(terminal, `${question} Type its name to confirm:`, missing))
  if (typed.trim() !== name.trim())
    throw new CommandError(`Cancelled, since the name is "${name}"; nothing was changed.`)
}

/** The line that is typed at a prompt; empty at the end of the input. */
async function ask(
  { stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>,
  prompt: string,
  withoutTerminal: string,
): Promise<string> {
  if (!stdin.isTTY) throw new CommandError(withoutTerminal)
  stderr.write(`${prompt} `)
  for await (const answer of createInterface({ input: stdin })) return answer.trim()
  return ''
}
