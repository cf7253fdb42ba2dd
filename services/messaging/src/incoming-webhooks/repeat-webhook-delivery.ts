import { AppError, badRequest, type endpoints } from '@tms/contracts'
import { findIntegration } from '@tms/integrations'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { getManagedBot } from '../kernel/projections/managed-bot.ts'
import { addressOf } from './arrived-delivery.ts'
import { postDelivery } from './post-delivery.ts'
import { findDelivery } from './webhook-delivery.queries.ts'

/**
 * Posts a delivery again as the bot. Throws NO_SUCH_OBJECT if there is no such bot or delivery, BAD_REQUEST if the caller
 * doesn't manage the bot, the payload isn't kept as a whole, or the bot is deactivated.
 */
export const handleRepeatWebhookDelivery: Handler<
  typeof endpoints.messaging.repeatWebhookDelivery,
  Context
> = async ({ input, caller, context, requestId, log }) => {
  const bot = await getManagedBot(context, caller, input.bot_user_id)
  const first = await findDelivery(context.db, bot.user_id, input.delivery_id)
  if (!first) throw new AppError('NO_SUCH_OBJECT', { message: 'No such delivery' })
  const { record, payload } = first
  if (record.outcome === 'waiting') throw badRequest('This delivery still waits to be posted')
  const integration = findIntegration(record.integration)
  if (!record.is_complete || !integration) throw badRequest('This delivery is not kept as a whole')
  if (record.status === 401) throw badRequest('The signature of this delivery was missing or wrong')
  if (!bot.is_active) throw badRequest('The bot is deactivated')
  const { stored } = await postDelivery(context, {
    ...{ integration, body: payload, headers: record.headers, requestId, log },
    caller: { userId: bot.user_id, realmId: bot.realm_id, role: bot.role, isBot: true },
    address: addressOf(record.parameters),
    name: null,
  })
  return { delivery: stored.record }
}
