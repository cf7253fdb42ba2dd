import { badRequest, type endpoints } from '@tms/contracts'
import { type Caller, type Handler, isLimited } from '@tms/service-kit'
import { isWithinLimit } from '../kernel/access/channel-limit.rules.ts'
import { canSeeMessage } from '../kernel/access/message.rules.ts'
import type { Context } from '../kernel/context.ts'
import {
  listMessageViews,
  type MessageView,
  measureMessages,
  type WantedTexts,
} from '../kernel/messages/message-view.queries.ts'
import { readerOf } from '../kernel/spectators/reader.ts'
import { type ArrangedPage, arrangePage, cutPage } from '../narrow/anchor.rules.ts'
import { findPage, listAmong } from '../narrow/find-page.ts'
import { parseNarrow } from '../narrow/narrow.rules.ts'
import type { Narrow } from '../narrow/narrow.ts'
import { resolveNarrow } from '../narrow/resolve-narrow.ts'
import { resolveSpectatorNarrow } from '../narrow/resolve-spectator-narrow.ts'
import { findMatches, searches } from '../search/find-matches.ts'
import { type PageRequest, parsePageRequest } from './page-request.rules.ts'
import { presentMessages, shownTopicOf, showsHistory } from './present-messages.ts'

/**
 * Size limit of a page: several times what 5,000 typical messages take, but small enough that users with the
 * largest possible messages can't exhaust a replica's memory by fetching many at once.
 */
const MAX_PAGE_BYTES = 16 * 1024 ** 2
/** This many messages always fit, whatever their size. */
const ALWAYS_FITS = 10

/** Fetches messages around an anchor, or by their IDs. */
export const handleGetMessages: Handler<typeof endpoints.messaging.getMessages, Context> = async ({
  input,
  caller,
  context,
}) => {
  const reader = readerOf(caller)
  const resolve = reader.isSpectator ? resolveSpectatorNarrow : resolveNarrow
  const request = parsePageRequest(input)
  const terms = parseNarrow(input.narrow)
  const narrow = await resolve(context, reader, terms)
  const isNarrowed = terms.length > 0 || reader.isSpectator
  const { anchor, found } = await findRequested(context, reader, { request, narrow, isNarrowed })
  const applyMarkdown = input.apply_markdown ?? true
  const isSearch = searches(narrow)
  const wanted: WantedTexts = {
    html: applyMarkdown || isSearch,
    raw: !applyMarkdown,
    history: await showsHistory(context, reader),
  }
  const page = request.messageIds
    ? await checkBytes(context, reader, found, wanted)
    : await limitPageBytes(context, reader, found, anchor, wanted)
  const all = await listMessageViews(context.db, reader, page.ids, wanted)
  // IDs can be anyone's, and a message may have been moved out of the reader's channels since the page was found.
  const views =
    request.messageIds || reader.isSpectator || isLimited(reader)
      ? all.filter((view) => isVisible(reader, view))
      : all
  const knowsEmptyTopics = input.allow_empty_topic_name ?? false
  const messages = await presentMessages(context, reader, views, {
    applyMarkdown,
    clientGravatar: input.client_gravatar ?? true,
    knowsEmptyTopics,
  })
  const shown = views.map((view) => ({ ...view, topic: shownTopicOf(view, knowsEmptyTopics) }))
  const matches = isSearch ? await findMatches(context.db, narrow, shown) : null
  return {
    messages: messages.map((message) => ({ ...message, ...matches?.get(message.id) })),
    anchor,
    found_anchor: page.foundAnchor,
    found_oldest: page.foundOldest,
    found_newest: page.foundNewest,
    history_limited: false,
  }
}

/** Finds the IDs to return. Without a narrow, those of a request are returned as they are, also of invisible messages. */
async function findRequested(
  context: Pick<Context, 'db' | 'searches'>,
  caller: Caller,
  { request, narrow, isNarrowed }: { request: PageRequest; narrow: Narrow; isNarrowed: boolean },
): Promise<{ anchor: number; found: ArrangedPage }> {
  if (request.messageIds) {
    const { messageIds } = request
    const ids = isNarrowed ? await listAmong(context, caller, narrow, messageIds) : messageIds
    return { anchor: 0, found: { ids, foundAnchor: false, foundOldest: false, foundNewest: false } }
  }
  const { anchor, found } = await findPage(context, caller, narrow, request.anchor, request.size)
  return { anchor, found: arrangePage(found, anchor, request.size) }
}

const isVisible = (caller: Caller, view: MessageView): boolean =>
  canSeeMessage(caller, view) && isWithinLimit(caller, view.channel?.id ?? null)

/** Messages by ID that are visible, if an answer may contain them: the client couldn't tell which are left out. */
async function checkBytes(
  { db }: Pick<Context, 'db'>,
  caller: Caller,
  page: ArrangedPage,
  wanted: WantedTexts,
): Promise<ArrangedPage> {
  if (page.ids.length <= ALWAYS_FITS) return page
  const views = await listMessageViews(db, caller, page.ids, {})
  const ids = views.filter((view) => isVisible(caller, view)).map(({ id }) => id)
  const bytes = await measureMessages(db, caller, ids, wanted)
  const total = [...bytes.values()].reduce((sum, one) => sum + one, 0)
  if (ids.length > ALWAYS_FITS && total > MAX_PAGE_BYTES)
    throw badRequest('The messages are too large for one answer: request fewer')
  return { ...page, ids }
}

/** Shortens a page to what an answer may contain. Clients see that there is more, and fetch it. */
async function limitPageBytes(
  { db }: Pick<Context, 'db'>,
  caller: Caller,
  page: ArrangedPage,
  anchor: number,
  wanted: WantedTexts,
): Promise<ArrangedPage> {
  if (page.ids.length <= ALWAYS_FITS) return page
  const bytes = await measureMessages(db, caller, page.ids, wanted)
  return cutPage(page, anchor, (id) => bytes.get(id) ?? 0, MAX_PAGE_BYTES)
}
