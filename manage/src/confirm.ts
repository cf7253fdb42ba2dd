import { createInterface } from 'node:readline'
import { CommandError } from './failures.ts'
import type { Terminal } from './tools.ts'

/** For the help of commands. */
export const YES = 'do it without asking'

/**
 * Asks on the terminal whether to go on, unless that is said already. Throws for any other answer than yes, and where
 * nobody can be asked: a program that runs this has to say so.
 */
export async function confirm(
  { stdin, stderr }: Pick<Terminal, 'stdin' | 'stderr'>,
  question: string,
  isSaid: boolean,
): Promise<void> {
  if (isSaid) return
  if (!stdin.isTTY) throw new CommandError(`${question} Nobody can be asked here: say --yes`)
  stderr.write(`${question} [y/N] `)
  for await (const answer of createInterface({ input: stdin })) {
    if (/^y(es)?$/i.test(answer.trim())) return
    break
  }
  throw new CommandError('Nothing was done.')
}
