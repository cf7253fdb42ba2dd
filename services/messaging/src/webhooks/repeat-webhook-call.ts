import { AppError, badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { getManagedBot } from '../kernel/projections/managed-bot.ts'
import { isOutgoingWebhook } from '../kernel/webhooks/find-webhooks.ts'
import { findCalledMessage } from './call-webhook.ts'
import { findAttempt } from './webhook-attempt.queries.ts'
import { repeatCall } from './webhook-call.queries.ts'

/**
 * Lets a bot be called again because of the same message. Throws NO_SUCH_OBJECT if there is no such bot or attempt, BAD_REQUEST if the
 * caller doesn't manage the bot, it is deactivated, it no longer sees the message, or the call hasn't ended.
 */
export const handleRepeatWebhookCall: Handler<
  typeof endpoints.messaging.repeatWebhookCall,
  Context
> = async ({ input, caller, context }) => {
  const bot = await getManagedBot(context, caller, input.bot_user_id)
  const attempt = await findAttempt(context.db, bot.user_id, input.call_id)
  if (!attempt) throw new AppError('NO_SUCH_OBJECT', { message: 'No such call' })
  if (!isOutgoingWebhook(bot)) throw badRequest('The bot is deactivated')
  if (!(await findCalledMessage(context, bot, attempt.message_id)))
    throw badRequest('The message of this call no longer exists')
  const call = { realmId: bot.realm_id, botId: bot.user_id, messageId: attempt.message_id }
  if (!(await repeatCall(context.db, { id: attempt.webhook_id, ...call })))
    throw badRequest('This call has not ended yet')
  context.webhookCalls.wake()
  return {}
}
