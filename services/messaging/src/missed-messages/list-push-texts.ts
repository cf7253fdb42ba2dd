import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { writeForPush } from './push-text.rules.ts'
import { listUnreadContents } from './pushed-message.queries.ts'

/** What devices of users show now of messages that are still unread. */
export const handleListPushTexts: InternalHandler<typeof internal.messaging.listPushTexts, Context> = async (
  { messages },
  { db },
) => {
  const asked = messages.map(({ user_id: userId, message_id: messageId }) => ({ userId, messageId }))
  const found = await listUnreadContents(db, asked)
  return {
    texts: found.map(({ userId, messageId, html }) => ({
      ...{ user_id: userId, message_id: messageId },
      content: writeForPush(html),
    })),
  }
}
