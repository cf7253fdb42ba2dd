import { createInterface } from 'node:readline'
import { CommandError } from '../kernel/errors.ts'
import type { Terminal } from './command-action.ts'

/** For the help of commands. */
export const YES_HELP = 'do not ask for confirmation'

/** Asks for confirmation on the terminal, unless given already. Throws unless the answer is yes, and without a terminal. */
export async function confirm(
  { stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>,
  question: string,
  isConfirmed: boolean,
): Promise<void> {
  if (isConfirmed) return
  if (!stdin.isTTY) throw new CommandError(`${question} There is no terminal to confirm at: use --yes`)
  stderr.write(`${question} [y/N] `)
  for await (const answer of createInterface({ input: stdin })) {
    if (/^y(es)?$/i.test(answer.trim())) return
    break
  }
  throw new CommandError('Cancelled; nothing was changed.')
}
