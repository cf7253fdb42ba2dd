import { type Logger, type Loop, startLoop } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { deleteExpired } from './expired.queries.ts'

/** Nobody sees what is expired, so this only keeps tables small. */
const EVERY_MS = 600_000

/** Deletes what has expired: invitations, links, keys in mails, and counts of mails. */
export function startForgettingExpired({ db, now }: Pick<Context, 'db' | 'now'>, log: Logger): Loop {
  return startLoop({
    name: 'forgetting what has expired',
    log,
    retryMs: EVERY_MS,
    round: async () => {
      await deleteExpired(db, now())
      return EVERY_MS
    },
  })
}
