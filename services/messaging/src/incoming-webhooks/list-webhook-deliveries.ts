import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { getManagedBot } from '../kernel/projections/managed-bot.ts'
import { countWaiting } from './webhook-backlog.queries.ts'
import { listDeliveries } from './webhook-delivery.queries.ts'

/** Lists what arrived at the addresses of a bot. Throws NO_SUCH_OBJECT if there is none, BAD_REQUEST unless the caller manages it. */
export const handleListWebhookDeliveries: Handler<
  typeof endpoints.messaging.listWebhookDeliveries,
  Context
> = async ({ input, caller, context }) => {
  const bot = await getManagedBot(context, caller, input.bot_user_id)
  return {
    deliveries: await listDeliveries(context.db, bot.user_id),
    waiting: await countWaiting(context.db, bot.user_id),
  }
}
