import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import { type Handler, inTransaction } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { updateSetting } from './subscription.queries.ts'
import { parseSetting } from './subscription-setting.rules.ts'

type UpdateSettings = Handler<typeof endpoints.messaging.updateSubscriptionSettings, Context>

/** Changes the caller's settings for channels, one after the other: a refused one leaves those before it made. */
export const handleUpdateSubscriptionSettings: UpdateSettings = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  for (const { stream_id, property: name, value: raw } of input.subscription_data) {
    const { property, value } = parseSetting(name, raw)
    await inTransaction(context.db, async (tx) => {
      const pair = { userId: caller.userId, channelId: stream_id }
      if (!(await updateSetting(tx, pair, property, value))) {
        throw badRequest(`Not subscribed to channel ID ${stream_id}`)
      }
      await context.publish(
        tx,
        domainEvents.messaging.subscriptionUpdated,
        { user_id: caller.userId, stream_id, property, value },
        { realmId: caller.realmId, requestId },
      )
    })
    context.relay.wake()
  }
  return {}
}
