import type { VisibilityPolicy } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { setVisibility } from './set-visibility.ts'
import { listTopicPositions } from './topic-standing.queries.ts'
import { lockVisibility, type TopicPlace } from './user-topic.queries.ts'
import { type Act, couldChange, nextVisibility } from './visibility.rules.ts'

/** Someone to whom something happens in a topic. */
export interface TopicAct {
  readonly user: KnownUser
  readonly act: Act
}

/**
 * Makes people follow or unmute a topic as their settings ask for, tells them, and returns whose policy changed
 * and to what. Costs nothing where no setting asks. Each user is in `acts` once, and whoever isn't subscribed is
 * passed over. Call it as `setVisibility`.
 */
export async function changeVisibility(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  place: TopicPlace,
  acts: readonly TopicAct[],
  cause: Cause,
): Promise<Map<number, VisibilityPolicy>> {
  const eligible = acts.filter(({ user, act }) => couldChange(user, act))
  if (eligible.length === 0) return new Map()

  const userIds = eligible.map(({ user }) => user.user_id)
  await lockVisibility(tx, cause.realmId, userIds)
  const standings = await listTopicPositions(tx, userIds, place)
  const next = new Map<number, VisibilityPolicy>()
  for (const { user, act } of eligible) {
    const standing = standings.get(user.user_id)
    const visibility = standing ? nextVisibility(user, act, standing) : null
    if (visibility !== null) next.set(user.user_id, visibility)
  }
  const changes = [...next].map(([userId, visibility]) => ({ userId, visibility }))
  await setVisibility(tx, context, place, changes, cause)
  return next
}
