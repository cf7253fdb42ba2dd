import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { arrangePage, checkPageSize, type PageSize, pageAround, parseAnchor } from '../narrow/anchor.rules.ts'
import { findAnchor, listPageIds } from '../narrow/find-page.ts'
import { parseNarrow } from '../narrow/narrow.rules.ts'
import { resolveNarrow } from '../narrow/resolve-narrow.ts'
import { findMatches, searches } from '../search/find-matches.ts'
import { listMessageViews } from './message-view.queries.ts'
import { presentMessages, showsHistory } from './present-messages.ts'

/** Fetches messages around an anchor. */
export const handleGetMessages: Handler<typeof endpoints.messaging.getMessages, Context> = async ({
  input,
  caller,
  context,
}) => {
  const asked = parseAnchor(input.anchor, input.use_first_unread_anchor)
  const size: PageSize = {
    numBefore: input.num_before,
    numAfter: input.num_after,
    includeAnchor: input.include_anchor ?? true,
  }
  checkPageSize(size)
  const narrow = await resolveNarrow(context, caller, parseNarrow(input.narrow))
  const anchor = await findAnchor(context.db, caller.userId, narrow, asked)

  const found = await listPageIds(context.db, caller.userId, narrow, pageAround(anchor, size))
  const page = arrangePage(found, anchor, size)
  const applyMarkdown = input.apply_markdown ?? true
  const isSearch = searches(narrow)
  const views = await listMessageViews(context.db, caller, page.ids, {
    html: applyMarkdown || isSearch,
    raw: !applyMarkdown,
    history: await showsHistory(context, caller),
  })
  const messages = await presentMessages(context, caller, views, {
    applyMarkdown,
    clientGravatar: input.client_gravatar ?? true,
  })
  const matches = isSearch ? await findMatches(context.db, narrow, views) : null
  return {
    messages: messages.map((message) => ({ ...message, ...matches?.get(message.id) })),
    anchor,
    found_anchor: page.foundAnchor,
    found_oldest: page.foundOldest,
    found_newest: page.foundNewest,
    history_limited: false,
  }
}
