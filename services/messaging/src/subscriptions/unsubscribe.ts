import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { changeSubscriptions } from './change-subscriptions.ts'
import { prepareUnsubscribe } from './prepare-unsubscribe.ts'

type Unsubscribe = Handler<typeof endpoints.messaging.unsubscribe, Context>

/** Unsubscribes users from channels. */
export const handleUnsubscribe: Unsubscribe = async ({ input, caller, context, requestId }) => {
  const removing = await prepareUnsubscribe(context, caller, input)
  const { unsubscribed } = await changeSubscriptions(context, caller, { removing }, requestId)
  return unsubscribed ?? { removed: [], not_removed: [] }
}
