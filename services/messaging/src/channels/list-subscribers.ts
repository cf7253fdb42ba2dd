import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { getVisibleById } from '../kernel/channels/find-visible.ts'
import type { Context } from '../kernel/context.ts'
import { listSubscriberIds } from '../kernel/subscriptions/subscription.queries.ts'

/** Lists the subscribers of a channel, if the caller may see it. */
export const handleListSubscribers: Handler<typeof endpoints.messaging.listSubscribers, Context> = async ({
  input,
  caller,
  context,
}) => {
  const { channel } = await getVisibleById(context.db, caller, input.stream_id)
  const subscribers = await listSubscriberIds(context.db, [channel.id])
  return { subscribers: subscribers.get(channel.id) ?? [] }
}
