import type { Tx } from '@tms/service-kit'
import type { KnownUser } from '../directory/directory.ts'
import { changeVisibility, type TopicAct } from '../topics/change-visibility.ts'
import { type Act, nextVisibility } from '../topics/visibility.rules.ts'
import type { Delivery } from './deliver.ts'
import type { Outgoing } from './outgoing.ts'
import { isTopicStarted, type TopicPlace } from './posting-place.queries.ts'

/**
 * What a message changes in how people see its topic: the sender's policy, and that of those whom it mentions. Null
 * where it can change nothing, as most messages can't. Call it before the transaction.
 */
export async function visibilityChange(
  { context, requestId }: Pick<Outgoing, 'context' | 'requestId'>,
  place: TopicPlace,
  {
    sender,
    topic,
    mentionedUserIds,
  }: { sender: KnownUser; topic: string; mentionedUserIds: readonly number[] },
): Promise<Delivery['settleVisibility']> {
  const { channel, isSubscribed, standing } = place
  const likelyAct: Act = place.isStarted ? 'send' : 'start'
  const changesOwn = isSubscribed && nextVisibility(sender, likelyAct, standing) !== null
  if (!changesOwn && mentionedUserIds.length === 0) return null

  const mentioned = await context.directory.findUsersByIds(sender.realm_id, mentionedUserIds)
  return async (tx: Tx, reached) => {
    // Two may write the first message at once; under the lock one of them is first.
    const isStart = !place.isStarted && !(await isTopicStarted(tx, channel.recipientId, topic))
    const others = reached.mentionedUserIds.filter((userId) => userId !== sender.user_id)
    const acts: TopicAct[] = [
      { user: sender, act: isStart ? 'start' : 'send' },
      ...others
        .map((userId) => mentioned.get(userId))
        .filter((user) => user !== undefined)
        .map((user): TopicAct => ({ user, act: 'mentioned' })),
    ]
    const cause = { realmId: sender.realm_id, requestId }
    const changed = await changeVisibility(tx, context, { channelId: channel.id, topic }, acts, cause)
    return changed.get(sender.user_id) ?? null
  }
}
