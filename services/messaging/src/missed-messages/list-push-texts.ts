import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { listRenderedContents } from './pushed-message.queries.ts'
import { writeForPush } from './push-text.rules.ts'

/** What devices show of messages now. */
export const handleListPushTexts: InternalHandler<typeof internal.messaging.listPushTexts, Context> = async (
  { realm_id: realmId, message_ids: ids },
  { db },
) => ({
  texts: (await listRenderedContents(db, realmId, ids)).map(({ id, html }) => ({
    message_id: id,
    content: writeForPush(html),
  })),
})
