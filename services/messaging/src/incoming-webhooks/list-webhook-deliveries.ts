import { BotType, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { getManagedBot } from '../kernel/projections/managed-bot.ts'
import { listAttempts } from '../webhooks/webhook-attempt.queries.ts'
import { countCallsOf } from '../webhooks/webhook-call.queries.ts'
import { countWaiting } from './webhook-backlog.queries.ts'
import { listDeliveries } from './webhook-delivery.queries.ts'

/** For more calls that are yet to be answered this number stands. */
const MAX_COUNTED = 100_000

/** Lists what arrived at the addresses of a bot, or how it was called. Throws NO_SUCH_OBJECT if there is none, BAD_REQUEST unless the caller manages it. */
export const handleListWebhookDeliveries: Handler<
  typeof endpoints.messaging.listWebhookDeliveries,
  Context
> = async ({ input, caller, context }) => {
  const bot = await getManagedBot(context, caller, input.bot_user_id)
  return {
    deliveries: await listDeliveries(context.db, bot.user_id),
    calls: await listAttempts(context.db, bot.user_id),
    waiting:
      bot.bot_type === BotType.outgoingWebhook
        ? await countCallsOf(context.db, bot.user_id, MAX_COUNTED)
        : await countWaiting(context.db, bot.user_id),
  }
}
