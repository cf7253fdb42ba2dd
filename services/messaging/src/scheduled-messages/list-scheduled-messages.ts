import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listScheduledMessages, recordOf } from './scheduled-message.queries.ts'

/** What the caller has scheduled and was not delivered, with what failed, by time. */
export const handleListScheduledMessages: Handler<
  typeof endpoints.messaging.listScheduledMessages,
  Context
> = async ({ caller, context }) => ({
  scheduled_messages: (await listScheduledMessages(context.db, caller.userId)).map(recordOf),
})
