import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { AppError, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { listMeasuredPictures } from '../attachments/list-measured-pictures.ts'
import type { Context } from '../kernel/context.ts'
import { createMentionLookup } from '../kernel/rendering/mention-lookup.ts'
import type { Rendered } from '../kernel/rendering/renderer.ts'
import { renderingSettingsOf } from '../kernel/rendering/rendering-settings.ts'
import { findReferences } from '../rendering/find-references.ts'
import { referencesFromHtml } from '../rendering/references-from-html.ts'
import {
  findLastMessageId,
  listRenderedMessages,
  type RenderedMessage,
  replaceHtml,
} from './render-again.queries.ts'
import { MAX_HTML_LENGTH } from './render-content.ts'

/** Time limit of one call, so that the operator sees progress. */
const MAX_WORK_MS = 3_000
const PAGE_SIZE = 50
/** Range of IDs that is searched at once for the messages of one organization, which may be sparse. */
const ID_RANGE = 20_000
/** All texts rendered here count as those of one author in the fair queue of the renderer. */
const BACKGROUND_AUTHOR_ID = 0

type Outcome = 'unchanged' | 'changed' | 'failed' | 'postponed'

/**
 * Renders stored messages again for a limited time, beginning after the ID `after`, and returns how far it got,
 * which is where the next call begins. No event is published: clients see the result when they fetch the messages
 * again.
 */
export const handleRenderAgain: InternalHandler<typeof internal.messaging.renderAgain, Context> = async (
  { realm_id, after, up_to },
  context,
) => {
  const end = up_to ?? (await findLastMessageId(context.db))
  const counts = { unchanged: 0, changed: 0, failed: 0 }
  const until = performance.now() + MAX_WORK_MS
  let last = after
  work: while (last < end && performance.now() < until) {
    const startedAt = performance.now()
    const upTo = Math.min(end, last + ID_RANGE)
    const page = { realmId: realm_id, after: last, upTo, limit: PAGE_SIZE }
    const messages = await listRenderedMessages(context.db, page)
    for (const message of messages) {
      const outcome = await renderAgain(context, message)
      if (outcome === 'postponed') break work
      counts[outcome] += 1
      last = message.id
      // Leaves time for requests between messages.
      await nextTurn()
    }
    if (messages.length < PAGE_SIZE) last = upTo
    await sleep(performance.now() - startedAt)
  }
  return { last_id: last, up_to: end, ...counts }
}

async function renderAgain(context: Context, message: RenderedMessage): Promise<Outcome> {
  const rendered = await renderWithOldReferences(context, message)
  if (rendered === 'postponed') return rendered
  if (rendered === null || rendered.html.length > MAX_HTML_LENGTH) return 'failed'
  if (rendered.html === message.html) return 'unchanged'
  // If it was edited meanwhile, the edit has rendered it too.
  return (await replaceHtml(context.db, message, rendered.html)) ? 'changed' : 'unchanged'
}

/**
 * Renders a message with the users and channels that it referred to when it was written; null if it can't be
 * rendered.
 */
async function renderWithOldReferences(
  { db, projections, renderer }: Context,
  { realmId, senderId, content, html, writtenAt }: RenderedMessage,
): Promise<Rendered | 'postponed' | null> {
  try {
    const [realm, author] = await Promise.all([projections.getRealm(realmId), projections.getUser(senderId)])
    const { uploadPathIds } = findReferences(content)
    const reader = { userId: author.user_id, realmId, role: author.role }
    const pictures = await listMeasuredPictures(db, reader, uploadPathIds)
    return await renderer.render(BACKGROUND_AUTHOR_ID, {
      content,
      lookup: createMentionLookup({ ...referencesFromHtml(content, html), pictures }),
      settings: { ...renderingSettingsOf(realm, author), writtenAt },
    })
  } catch (err) {
    if (!(err instanceof AppError)) throw err
    return err.code === 'SERVICE_UNAVAILABLE' ? 'postponed' : null
  }
}
