import { randomBytes } from 'node:crypto'
import { createInterface } from 'node:readline'
import { Refusal } from './failures.ts'
import type { Terminal } from './tools.ts'

/** For the help of commands; never an argument, which others on the machine could read. */
export const PASSWORD_STDIN =
  'take the password from the first line of the standard input, instead of making one up'

/** The password that an operator chose, or one that nobody guesses. `isNew` says that nobody knows it yet. */
export async function choosePassword(
  { stdin }: Pick<Terminal, 'stdin'>,
  fromStdin: boolean,
): Promise<{ password: string; isNew: boolean }> {
  if (!fromStdin) return { password: randomBytes(15).toString('base64url'), isNew: true }
  for await (const line of createInterface({ input: stdin })) {
    if (line !== '') return { password: line, isNew: false }
    break
  }
  throw new Refusal('There is no password in the first line of the standard input')
}
