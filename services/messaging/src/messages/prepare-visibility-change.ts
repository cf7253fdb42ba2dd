import type { Tx } from '@tms/service-kit'
import { isTopicStarted, type PostingTarget } from '../kernel/messages/posting-target.queries.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { changeVisibility, type UserActivity } from '../topics/change-visibility.ts'
import { nextVisibility, type TopicActivity } from '../topics/visibility.rules.ts'
import type { CheckedMessage } from './persist-message.ts'
import type { SendRequest } from './send-request.ts'

/**
 * Prepares how a message changes the visibility policies of its topic: those of the sender and of mentioned users.
 * Null if it can't change any, as for most messages. Call it before the transaction.
 */
export async function prepareVisibilityChange(
  { context, requestId }: Pick<SendRequest, 'context' | 'requestId'>,
  target: PostingTarget,
  {
    sender,
    topic,
    mentionedUserIds,
  }: { sender: KnownUser; topic: string; mentionedUserIds: readonly number[] },
): Promise<CheckedMessage['applyVisibilityChange']> {
  const { channel, isSubscribed, position } = target
  const likelyActivity: TopicActivity = target.isStarted ? 'send' : 'start'
  const changesOwn = isSubscribed && nextVisibility(sender, likelyActivity, position) !== null
  if (!changesOwn && mentionedUserIds.length === 0) return null

  const mentioned = await context.projections.findUsersByIds(sender.realm_id, mentionedUserIds)
  return async (tx: Tx, notifiedUsers) => {
    // Two users may send the first message at once; under the lock one of them is first.
    const isStart = !target.isStarted && !(await isTopicStarted(tx, channel.recipientId, topic))
    const others = notifiedUsers.mentionedUserIds.filter((userId) => userId !== sender.user_id)
    const activities: UserActivity[] = [
      { user: sender, activity: isStart ? 'start' : 'send' },
      ...others
        .map((userId) => mentioned.get(userId))
        .filter((user) => user !== undefined)
        .map((user): UserActivity => ({ user, activity: 'mentioned' })),
    ]
    const cause = { realmId: sender.realm_id, requestId }
    const changed = await changeVisibility(tx, context, { channelId: channel.id, topic }, activities, cause)
    return changed.get(sender.user_id) ?? null
  }
}
