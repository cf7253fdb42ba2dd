import { badRequest, type endpoints, topicOf } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { getAccessibleChannel } from '../kernel/messages/accessible-channel.ts'
import { hasMessageInTopic } from './bulk-reading.queries.ts'
import { markPartAsRead } from './mark-channel-as-read.ts'

/** Marks all messages of a topic as read. Throws BAD_REQUEST if the caller has no message of the topic. */
export const handleMarkTopicAsRead: Handler<typeof endpoints.messaging.markTopicAsRead, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const target = await getAccessibleChannel(context.db, caller, input.stream_id)
  const { channel } = target
  const topic = topicOf(input.topic_name)
  if (!(await hasMessageInTopic(context.db, caller.userId, channel, topic))) {
    throw badRequest(`No such topic '${input.topic_name}'`)
  }
  await markPartAsRead(context, caller, requestId, target, topic)
  return {}
}
