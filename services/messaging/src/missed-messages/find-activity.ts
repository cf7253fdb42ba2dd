import { AppError, internal } from '@tms/contracts'
import type { InternalClient } from '@tms/service-kit'

/** Users of one call. */
const MAX_ASKED = 5_000
const MAX_CONCURRENT = 8
/** How long decisions wait for presence: all organizations wait for one whose presence is unknown. */
const PATIENCE_MS = 120_000
/** An organization whose presence was unknown at an earlier time is waited for anew. */
const FORGET_AFTER_MS = 30_000

/**
 * Finds when users were last active, in seconds since the epoch; users without known presence are missing. Throws if users doesn't
 * answer, and SERVICE_UNAVAILABLE if presence is unknown, but not for longer than two minutes: from then on
 * these users are missing too.
 */
export type FindActivity = (
  candidates: readonly { readonly realmId: number; readonly userId: number }[],
) => Promise<ReadonlyMap<number, number>>

/** Creates the function, which remembers since when presence is unknown. */
export function createActivityFinder(call: InternalClient, now: () => number = Date.now): FindActivity {
  const unknown = new Map<number, { readonly since: number; readonly last: number }>()

  async function ask(realmId: number, userIds: readonly number[]): Promise<readonly (number | null)[]> {
    const answer = await call(internal.users.listLastActivity, { realm_id: realmId, user_ids: [...userIds] })
    if (answer.is_known) {
      unknown.delete(realmId)
      return answer.active_at
    }
    const last = now()
    const earlier = unknown.get(realmId)
    const since = earlier && last - earlier.last < FORGET_AFTER_MS ? earlier.since : last
    unknown.set(realmId, { since, last })
    if (last - since >= PATIENCE_MS) return []
    throw new AppError('SERVICE_UNAVAILABLE', { message: `Presence of organization ${realmId} is unknown` })
  }

  return async (candidates) => {
    const questions = [...Map.groupBy(candidates, ({ realmId }) => realmId)].flatMap(([realmId, ofRealm]) => {
      const userIds = [...new Set(ofRealm.map(({ userId }) => userId))]
      const count = Math.ceil(userIds.length / MAX_ASKED)
      return Array.from({ length: count }, (_, index) => ({
        realmId,
        userIds: userIds.slice(index * MAX_ASKED, (index + 1) * MAX_ASKED),
      }))
    })
    const activity = new Map<number, number>()
    for (let start = 0; start < questions.length; start += MAX_CONCURRENT) {
      const some = questions.slice(start, start + MAX_CONCURRENT)
      const answers = await Promise.all(some.map(({ realmId, userIds }) => ask(realmId, userIds)))
      for (const [index, times] of answers.entries()) {
        const { userIds } = some[index] ?? { userIds: [] }
        for (const [at, userId] of userIds.entries()) {
          const time = times[at]
          if (typeof time === 'number') activity.set(userId, time)
        }
      }
    }
    return activity
  }
}
