import type { Cause, Tx } from '@tms/service-kit'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { addHistoricalRows } from '../flags/message-flags.queries.ts'
import { changeVisibility } from '../topics/change-visibility.ts'
import type { MessageView } from './message-view.queries.ts'

/**
 * What follows for someone who reacts to a message or attaches something to it: from then on they have the
 * message, though they may never have received it, and their settings may make them follow its topic.
 */
export async function takePart(
  tx: Tx,
  context: Pick<Context, 'publish' | 'now'>,
  user: KnownUser,
  message: MessageView,
  cause: Cause,
): Promise<void> {
  if (message.channel?.isSubscribed) {
    const place = { channelId: message.channel.id, topic: message.topic }
    await changeVisibility(tx, context, place, [{ user, act: 'participate' }], cause)
  }
  // Not before the locks of visibility: others wait for these rows who hold what holders of those wait for.
  if (!message.isReceived && !message.isHistorical) await addHistoricalRows(tx, user.user_id, [message.id])
}
