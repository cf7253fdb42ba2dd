import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { deleteOldPasswordAttempts } from './password-attempts.queries.ts'

/** Too small scans the table for nothing; too large lets guessers of random user names fill it. */
const EVERY_MS = 300_000

/** Keeps the table of attempts at the size of the last minutes. */
export function startForgettingAttempts(
  { db, passwordAttempts }: Pick<Context, 'db' | 'passwordAttempts'>,
  log: Logger,
): Loop {
  return startLoop({
    name: 'forgetting old attempts',
    log,
    retryMs: EVERY_MS,
    round: async () => {
      await deleteOldPasswordAttempts(db, passwordAttempts.windowSeconds)
      return EVERY_MS
    },
  })
}
