import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { deleteOldIdentityChanges } from './identity-changes.queries.ts'
import { deleteOldPasswordAttempts } from './password-attempts.queries.ts'

/** Too small scans the table for nothing; too large lets guessers of random user names fill it. */
const EVERY_MS = 300_000
/** Gateways remember nobody for so long without asking about them. */
const IDENTITY_CHANGES_SECONDS = 900

/** Keeps the tables of attempts and of changed identities at the size of the last minutes. */
export function startForgettingAttempts(
  { db, passwordAttempts }: Pick<Context, 'db' | 'passwordAttempts'>,
  log: Logger,
): Loop {
  return startLoop({
    name: 'forgetting old attempts and changes',
    log,
    retryMs: EVERY_MS,
    round: async () => {
      await deleteOldPasswordAttempts(db, passwordAttempts.windowSeconds)
      await deleteOldIdentityChanges(db, IDENTITY_CHANGES_SECONDS)
      return EVERY_MS
    },
  })
}
