import { VisibilityPolicy } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { caseKey } from '../kernel/text/case-key.ts'
import { setVisibility } from '../topics/set-visibility.ts'
import { lockVisibility } from '../topics/user-topic.queries.ts'
import { hasOtherMessages, listPolicies, type MovedTopic } from './visibility.queries.ts'
import { mergedPolicy } from './visibility.rules.ts'

/** A move of a whole topic. */
interface WholeMove {
  readonly from: MovedTopic
  readonly to: MovedTopic
  readonly messageIds: readonly number[]
}

/** Locks for `moveVisibility` the policies of all users with one for either topic. `lockVisibility` says when. */
export async function lockMovedVisibility(
  tx: Tx,
  realmId: number,
  from: MovedTopic,
  to: MovedTopic,
): Promise<void> {
  const users = await listPolicies(tx, from, to)
  await lockVisibility(
    tx,
    realmId,
    users.map(({ userId }) => userId),
  )
}

/** Carries over the policies of users for a topic that moved, if they may read it in the target. */
export async function moveVisibility(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  { from, to, messageIds }: WholeMove,
  cause: Cause,
): Promise<void> {
  if (from.channel.id === to.channel.id && caseKey(from.topic) === caseKey(to.topic)) return
  const users = await listPolicies(tx, from, to)
  if (users.length === 0) return
  const hadMessages = await hasOtherMessages(tx, to, messageIds)
  const left = users
    .filter(({ moved }) => moved !== VisibilityPolicy.none)
    .map(({ userId }) => ({ userId, visibility: VisibilityPolicy.none }))
  const gained = users
    .filter(({ canFollow }) => canFollow)
    .map(({ userId, moved, existing }) => ({
      userId,
      visibility: mergedPolicy(moved, existing, hadMessages),
    }))
  await setVisibility(tx, context, { channelId: from.channel.id, topic: from.topic }, left, cause)
  await setVisibility(tx, context, { channelId: to.channel.id, topic: to.topic }, gained, cause)
}
