import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { changeSubscriptions } from './change-subscriptions.ts'
import { prepareUnsubscribing } from './unsubscribing.ts'

type Unsubscribe = Handler<typeof endpoints.messaging.unsubscribe, Context>

/** Unsubscribes users from channels; a private channel that nobody is left in is archived. */
export const handleUnsubscribe: Unsubscribe = async ({ input, caller, context, requestId }) => {
  const removing = await prepareUnsubscribing(context, caller, input)
  const { unsubscribed } = await changeSubscriptions(context, caller, { removing }, requestId)
  return unsubscribed ?? { removed: [], not_removed: [] }
}
