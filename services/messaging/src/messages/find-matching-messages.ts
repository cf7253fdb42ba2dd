import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { uniqueIds } from '../flags/flag.rules.ts'
import type { Context } from '../kernel/context.ts'
import { listMessageViews } from '../kernel/messages/message-view.queries.ts'
import { listAmong } from '../narrow/find-page.ts'
import { parseNarrow } from '../narrow/narrow.rules.ts'
import { receivedOnly } from '../narrow/narrow.ts'
import { resolveNarrow } from '../narrow/resolve-narrow.ts'
import { findMatches } from '../search/find-matches.ts'
import { shownTopicOf } from './present-messages.ts'

/**
 * Returns which of these messages the caller received and match a narrow, with the matching parts highlighted.
 */
export const handleFindMatchingMessages: Handler<
  typeof endpoints.messaging.findMatchingMessages,
  Context
> = async ({ input, caller, context }) => {
  const messageIds = uniqueIds(input.msg_ids)
  const narrow = await resolveNarrow(context, caller, parseNarrow(input.narrow))
  const found = await listAmong(context, caller, receivedOnly(narrow), messageIds)
  const views = await listMessageViews(context.db, caller, found, { html: true })
  const shown = views.map((view) => ({ ...view, topic: shownTopicOf(view, false) }))
  return { messages: Object.fromEntries(await findMatches(context.db, narrow, shown)) }
}
