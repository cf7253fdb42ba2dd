import { setImmediate as nextTurn } from 'node:timers/promises'
import { type endpoints, historyVisibilityOf } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { historyWithinLimit, shownHistory } from '../kernel/messages/shown-history.rules.ts'
import { getVisibleMessage } from '../kernel/messages/visible-message.ts'
import { withTopicNames } from '../messages/present-messages.ts'
import { type Version, versionsOf } from './history.rules.ts'

/** Lists the versions of a message that the organization shows; the present one always. */
export const handleGetMessageHistory: Handler<
  typeof endpoints.messaging.getMessageHistory,
  Context
> = async ({ input, caller, context }) => {
  const realm = await context.projections.getRealm(caller.realmId)
  const texts = { html: true, raw: true, history: true }
  const view = await getVisibleMessage(context.db, caller, input.message_id, { texts })
  const versions = versionsOf({
    senderId: view.senderId,
    timestamp: view.timestamp,
    topic: view.topic,
    content: view.raw ?? '',
    html: view.html ?? '',
    history: shownHistory(historyWithinLimit(caller, view.editHistory ?? []), historyVisibilityOf(realm)),
  })
  // Direct messages have no topic to show.
  const knowsEmptyTopics = view.channel === null || (input.allow_empty_topic_name ?? false)
  const message_history: Version[] = []
  for (const version of versions) {
    message_history.unshift(withTopicNames(version, knowsEmptyTopics))
    // Lets other requests run between edits.
    await nextTurn()
  }
  return { message_history }
}
