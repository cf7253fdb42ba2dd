import type { endpoints, SubscriptionRecord } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { listSubscribedChannels } from '../kernel/channels/visible-channel.queries.ts'
import type { Context } from '../kernel/context.ts'
import { listSubscriberIds } from '../kernel/subscriptions/subscription.queries.ts'

/** Lists the caller's subscriptions by channel name. */
export const handleListSubscriptions: Handler<
  typeof endpoints.messaging.listSubscriptions,
  Context
> = async ({ input, caller, context }) => {
  const channels = await listSubscribedChannels(context.db, caller.userId, { withArchived: false })
  const subscribers = input.include_subscribers
    ? await listSubscriberIds(
        context.db,
        channels.map(({ record }) => record.stream_id),
      )
    : null
  return {
    subscriptions: channels.flatMap(({ record, subscription }): SubscriptionRecord[] => {
      if (!subscription) return []
      const list = subscribers ? { subscribers: subscribers.get(record.stream_id) ?? [] } : {}
      return [{ ...record, ...subscription.settings, ...list }]
    }),
  }
}
