import type { endpoints } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { getAccessibleChannel } from '../kernel/messages/accessible-channel.ts'
import type { ChannelTarget } from '../kernel/messages/posting-target.queries.ts'
import { listUnreadIds } from './bulk-reading.queries.ts'
import { changeFlags } from './change-flags.ts'
import { FLAG_BATCH } from './flag.rules.ts'

/** Marks all messages of a channel as read. */
export const handleMarkChannelAsRead: Handler<
  typeof endpoints.messaging.markChannelAsRead,
  Context
> = async ({ input, caller, context, requestId }) => {
  const target = await getAccessibleChannel(context.db, caller, input.stream_id)
  await markPartAsRead(context, caller, requestId, target, null)
  return {}
}

/** Marks the unread messages of a channel or topic as read, in batches, oldest first. */
export async function markPartAsRead(
  context: Context,
  caller: Caller,
  requestId: string,
  { channel }: ChannelTarget,
  topic: string | null,
): Promise<void> {
  let afterId = 0
  for (;;) {
    const part = {
      userId: caller.userId,
      recipientId: channel.recipientId,
      topic,
      afterId,
      limit: FLAG_BATCH,
    }
    const messageIds = await listUnreadIds(context.db, part)
    if (messageIds.length > 0) {
      await changeFlags(context, caller, requestId, { flag: 'read', op: 'add', messageIds })
    }
    if (messageIds.length < FLAG_BATCH) return
    afterId = messageIds.at(-1) ?? afterId
  }
}
