import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { getVisibleChannel } from '../kernel/channels/visible-channel.ts'
import type { Context } from '../kernel/context.ts'
import { listSubscriberIds } from '../kernel/subscriptions/subscription.queries.ts'

/** Lists the subscribers of a channel, if the caller may see it. */
export const handleListSubscribers: Handler<typeof endpoints.messaging.listSubscribers, Context> = async ({
  input,
  caller,
  context,
}) => {
  const { channel } = await getVisibleChannel(context.db, caller, input.stream_id)
  const subscribers = await listSubscriberIds(context.db, [channel.id])
  return { subscribers: subscribers.get(channel.id) ?? [] }
}
