import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { webhookOf } from '../kernel/bots/bot-record.ts'
import type { Context } from '../kernel/context.ts'
import { canBeId } from '../kernel/database/column-limits.ts'
import { findCallableService } from './outgoing-webhook.queries.ts'

/** The target of an outgoing webhook; null if it must not be called. */
export const handleGetOutgoingWebhook: InternalHandler<
  typeof internal.users.getOutgoingWebhook,
  Context
> = async ({ user_id }, { db }) => {
  const details = canBeId(user_id) ? await findCallableService(db, user_id) : null
  return { service: details && webhookOf(details) }
}
