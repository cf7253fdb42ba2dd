import { type Logger, type Loop, type Pool, startLoop, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { forgetOldPushedMessages, type OnDevices, takeAwayObsolete } from './pushed-message.queries.ts'

/** After a full turn; too short costs queries, too long leaves on devices what was deleted. */
const PAUSE_MS = 5_000
/** Between pages, so that a turn is a small, even load. */
const BETWEEN_PAGES_MS = 200
const MAX_MESSAGES = 500
/** Between looks at users who have read something: reading is frequent, and most have nothing on devices. */
const BETWEEN_NOTED_MS = 500
/** Users that wait to be looked at; more are found by the next turn. */
const MAX_NOTED = 1_000

/** The loop, and `note`, which has a user looked at at once who may have read what is on their devices. */
type RunningRemovals = Loop & Context['pushRemovals']

/**
 * Has disappear from devices what was read elsewhere, deleted, or taken away. Users who have just read something are
 * looked at at once. Each replica also goes through all that is on devices, a page after the other, so that nothing
 * depends on a note: it would be lost with its replica, and not all changes have one.
 */
export function startPushRemovals(db: Pool, log: Logger, onRemovals: () => void): RunningRemovals {
  const noted = new Set<number>()
  let after: OnDevices = { userId: 0, messageId: 0 }
  let pageAt = 0
  let notedAt = 0
  const loop = startLoop({
    name: 'removals from devices',
    log,
    round: async () => {
      if (noted.size > 0 && performance.now() >= notedAt) {
        const userIds = [...noted]
        noted.clear()
        notedAt = performance.now() + BETWEEN_NOTED_MS
        const { count } = await transact(db, (tx) => takeAwayObsolete(tx, { userIds }))
        if (count > 0) onRemovals()
      }
      if (performance.now() >= pageAt) {
        const { last, count } = await transact(db, (tx) =>
          takeAwayObsolete(tx, { after, limit: MAX_MESSAGES }),
        )
        if (count > 0) onRemovals()
        if (last === null) await forgetOldPushedMessages(db)
        after = last ?? { userId: 0, messageId: 0 }
        pageAt = performance.now() + (last === null ? PAUSE_MS : BETWEEN_PAGES_MS)
      }
      return Math.max(1, Math.min(pageAt, noted.size > 0 ? notedAt : pageAt) - performance.now())
    },
  })
  return {
    ...loop,
    note: (userId) => {
      if (noted.size >= MAX_NOTED) return
      noted.add(userId)
      if (noted.size === 1) loop.wake()
    },
  }
}
