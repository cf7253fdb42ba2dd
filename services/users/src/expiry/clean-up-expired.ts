import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { deleteExpired, deleteGivenUpMails } from './expired.queries.ts'

/** Expired rows are never read, so this only keeps tables small. */
const EVERY_MS = 600_000

/** Deletes expired invitations, links, mailed keys, API tokens and counts of mails, and mails that were given up. */
export function startExpiredCleanup({ db, now }: Pick<Context, 'db' | 'now'>, log: Logger): Loop {
  return startLoop({
    name: 'expired data cleanup',
    log,
    retryMs: EVERY_MS,
    round: async () => {
      await deleteExpired(db, now())
      await deleteGivenUpMails(db)
      return EVERY_MS
    },
  })
}
