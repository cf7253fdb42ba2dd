import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeSubscriptions } from './change-subscriptions.ts'
import { prepareSubscribe } from './prepare-subscribe.ts'
import { prepareUnsubscribe } from './prepare-unsubscribe.ts'

type UpdateSubscriptions = Handler<typeof endpoints.messaging.updateSubscriptions, Context>

/** Subscribes the caller to channels, then unsubscribes from others, all or nothing. */
export const handleUpdateSubscriptions: UpdateSubscriptions = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const { add = [], delete: leave = [] } = input
  if (add.length === 0 && leave.length === 0) throw badRequest('Nothing to add and nothing to delete.')
  const adding = add.length > 0 ? await prepareSubscribe(context, caller, { subscriptions: add }) : null
  const removing =
    leave.length > 0 ? await prepareUnsubscribe(context, caller, { subscriptions: leave }) : null
  const result = await changeSubscriptions(context, caller, { adding, removing }, requestId)
  return { ...result.subscribed, ...result.unsubscribed }
}
