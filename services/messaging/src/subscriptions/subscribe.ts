import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeSubscriptions } from './change-subscriptions.ts'
import { prepareSubscribe } from './prepare-subscribe.ts'

type Subscribe = Handler<typeof endpoints.messaging.subscribe, Context>

/** Subscribes users to channels and creates missing channels, all or nothing. */
export const handleSubscribe: Subscribe = async ({ input, caller, context, requestId }) => {
  const adding = await prepareSubscribe(context, caller, input)
  const { subscribed } = await changeSubscriptions(context, caller, { adding }, requestId)
  return subscribed ?? { subscribed: {}, already_subscribed: {} }
}
