import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { holdsMessageOfTopic } from './bulk-reading.queries.ts'
import { getAccessible, markPartAsRead } from './mark-channel-as-read.ts'

/** Marks everything of a topic as read. A topic of which the caller has no message is BAD_REQUEST. */
export const handleMarkTopicAsRead: Handler<typeof endpoints.messaging.markTopicAsRead, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const place = await getAccessible(context, caller, input.stream_id)
  const { channel } = place
  if (!(await holdsMessageOfTopic(context.db, caller.userId, channel, input.topic_name))) {
    throw badRequest(`No such topic '${input.topic_name}'`)
  }
  await markPartAsRead(context, caller, requestId, place, input.topic_name)
  return {}
}
