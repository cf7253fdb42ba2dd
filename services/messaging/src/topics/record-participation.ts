import type { Cause, Tx } from '@tms/service-kit'
import { addHistoricalRows } from '../flags/message-flags.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { MessageView } from '../kernel/messages/message-view.queries.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { changeVisibility } from './change-visibility.ts'

/**
 * Records that a user reacted to a message or attached something to it. From then on the user has the message,
 * even without having received it, and the user's settings may make them follow its topic.
 */
export async function recordParticipation(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  user: KnownUser,
  message: MessageView,
  cause: Cause,
): Promise<void> {
  if (message.channel?.isSubscribed) {
    const topicRef = { channelId: message.channel.id, topic: message.topic }
    await changeVisibility(tx, context, topicRef, [{ user, activity: 'participate' }], cause)
  }
  // After the visibility locks: a transaction that waits for these rows may hold what holders of those locks wait
  // for.
  if (!message.isReceived && !message.isHistorical) await addHistoricalRows(tx, user.user_id, [message.id])
}
