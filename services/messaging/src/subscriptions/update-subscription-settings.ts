import { badRequest, domainEvents, type EndpointInput, type endpoints } from '@tms/contracts'
import { type Caller, type Handler, inTransaction } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { updateSetting } from './subscription.queries.ts'
import { parseSetting } from './subscription-setting.rules.ts'

type Messaging = typeof endpoints.messaging
type Change = EndpointInput<Messaging['updateSubscriptionSettings']>['subscription_data'][number]

/** Changes the caller's settings for channels, one after the other: a refused one leaves those before it made. */
export const handleUpdateSubscriptionSettings: Handler<
  Messaging['updateSubscriptionSettings'],
  Context
> = async ({ input, caller, context, requestId }) => {
  for (const change of input.subscription_data) await changeSetting(context, caller, change, requestId)
  return {}
}

/** Changes one setting of the caller's for one channel. */
export const handleUpdateSubscriptionSetting: Handler<
  Messaging['updateSubscriptionSetting'],
  Context
> = async ({ input, caller, context, requestId }) => {
  await changeSetting(context, caller, input, requestId)
  return {}
}

/** Throws BAD_REQUEST for a channel to which the caller isn't subscribed, and for a value that isn't the property's. */
async function changeSetting(
  context: Context,
  caller: Caller,
  { stream_id, property: name, value: raw }: Change,
  requestId: string,
): Promise<void> {
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
