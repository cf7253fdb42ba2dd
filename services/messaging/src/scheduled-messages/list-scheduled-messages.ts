import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listScheduledMessages, toScheduledRecord } from './scheduled-message.queries.ts'

/** Lists the caller's scheduled messages that were not sent, failed ones included, by time. */
export const handleListScheduledMessages: Handler<
  typeof endpoints.messaging.listScheduledMessages,
  Context
> = async ({ caller, context }) => ({
  scheduled_messages: (await listScheduledMessages(context.db, caller.userId)).map(toScheduledRecord),
})
