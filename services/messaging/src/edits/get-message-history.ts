import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { listMessageViews } from '../messages/message-view.queries.ts'
import { canSeeMessage } from '../messages/message-view.rules.ts'
import { versionsOf } from './history.rules.ts'

/** Lists the versions of a message, where the organization shows them. */
export const handleGetMessageHistory: Handler<
  typeof endpoints.messaging.getMessageHistory,
  Context
> = async ({ input, caller, context }) => {
  const realm = await context.directory.getRealm(caller.realmId)
  if (!realm.allow_edit_history) throw badRequest('Message edit history is disabled in this organization')
  const texts = { html: true, raw: true, history: true }
  const [view] = await listMessageViews(context.db, caller, [input.message_id], texts)
  if (!view || !canSeeMessage(caller, view)) throw badRequest('Invalid message(s)')
  const message_history = versionsOf({
    senderId: view.senderId,
    timestamp: view.timestamp,
    topic: view.topic,
    content: view.raw ?? '',
    html: view.html ?? '',
    history: view.editHistory ?? [],
  })
  return { message_history }
}
