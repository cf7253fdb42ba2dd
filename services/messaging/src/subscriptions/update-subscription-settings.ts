import { badRequest, domainEvents, type EndpointInput, type endpoints } from '@tms/contracts'
import { type Caller, type Handler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { updateSetting } from './setting.queries.ts'
import { parseSetting } from './subscription-setting.rules.ts'

type Messaging = typeof endpoints.messaging
type Change = EndpointInput<Messaging['updateSubscriptionSettings']>['subscription_data'][number]

/** Changes the caller's settings for channels one by one. If one is invalid, those before it stay changed. */
export const handleUpdateSubscriptionSettings: Handler<
  Messaging['updateSubscriptionSettings'],
  Context
> = async ({ input, caller, context, requestId }) => {
  for (const change of input.subscription_data) await changeSetting(context, caller, change, requestId)
  return {}
}

/** Changes one of the caller's settings for one channel. */
export const handleUpdateSubscriptionSetting: Handler<
  Messaging['updateSubscriptionSetting'],
  Context
> = async ({ input, caller, context, requestId }) => {
  await changeSetting(context, caller, input, requestId)
  return {}
}

/** Throws BAD_REQUEST if the caller isn't subscribed to the channel, and for an invalid value. */
async function changeSetting(
  context: Context,
  caller: Caller,
  { stream_id, property: name, value: raw }: Change,
  requestId: string,
): Promise<void> {
  const { property, value } = parseSetting(name, raw)
  await transact(context.db, async (tx) => {
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
}
