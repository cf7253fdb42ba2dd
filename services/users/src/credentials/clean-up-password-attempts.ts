import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { deleteOldPasswordAttempts } from '../kernel/credentials/password-attempts.queries.ts'

/** Smaller scans the table for nothing; larger lets guesses of random user names fill it. */
const EVERY_MS = 300_000

/** Deletes attempts that have left the window. */
export function startPasswordAttemptCleanup(
  { db, passwordAttempts }: Pick<Context, 'db' | 'passwordAttempts'>,
  log: Logger,
): Loop {
  return startLoop({
    name: 'password attempt cleanup',
    log,
    retryMs: EVERY_MS,
    round: async () => {
      await deleteOldPasswordAttempts(db, passwordAttempts.windowSeconds)
      return EVERY_MS
    },
  })
}
