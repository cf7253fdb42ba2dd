import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { AppError, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import { listMeasuredPictures } from '../attachments/list-measured-pictures.ts'
import type { Context } from '../context.ts'
import { createDirectory } from '../rendering/directory.ts'
import { findReferences } from '../rendering/find-references.ts'
import { knownByHtml } from '../rendering/known-by-html.ts'
import type { Rendered } from '../rendering/render-markdown.ts'
import {
  findLastMessageId,
  listRenderedMessages,
  type RenderedMessage,
  replaceHtml,
} from './render-again.queries.ts'
import { MAX_HTML_LENGTH } from './render-content.ts'
import { renderingSettingsOf } from './rendering-settings.ts'

/** Of one call, so that whoever waits sees how far it is. */
const MAX_WORK_MS = 3_000
const PAGE_SIZE = 50
/** IDs that are looked through at once for the messages of one organization, which may have few of them. */
const ID_RANGE = 20_000
/** Long texts wait for each other, and for those of others by turns. */
const NOBODY = 0

/** What came of looking at a message. */
type Outcome = 'unchanged' | 'changed' | 'failed' | 'postponed'

/**
 * Renders stored messages again, with IDs from after `after` on, for a while; says how far it came, which is where the
 * next call begins. Clients are told nothing: they see it when they next fetch the messages.
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
      // Requests are answered in between, and have half of the time.
      await nextTurn()
    }
    if (messages.length < PAGE_SIZE) last = upTo
    await sleep(performance.now() - startedAt)
  }
  return { last_id: last, up_to: end, ...counts }
}

async function renderAgain(context: Context, message: RenderedMessage): Promise<Outcome> {
  const rendered = await renderAsThen(context, message)
  if (rendered === 'postponed') return rendered
  if (rendered === null || rendered.html.length > MAX_HTML_LENGTH) return 'failed'
  if (rendered.html === message.html) return 'unchanged'
  // Whoever has edited it meanwhile has rendered it, too.
  return (await replaceHtml(context.db, message, rendered.html)) ? 'changed' : 'unchanged'
}

/** With the people and channels that it referred to then; null where it can't be rendered. */
async function renderAsThen(
  { db, directory, renderer }: Context,
  { realmId, senderId, content, html, sentAt }: RenderedMessage,
): Promise<Rendered | 'postponed' | null> {
  try {
    const [realm, author] = await Promise.all([directory.getRealm(realmId), directory.getUser(senderId)])
    const { uploadPathIds } = findReferences(content)
    const reader = { userId: author.user_id, realmId, role: author.role }
    const pictures = await listMeasuredPictures(db, reader, uploadPathIds)
    return await renderer.render(NOBODY, {
      content,
      directory: createDirectory({ ...knownByHtml(content, html), pictures }),
      settings: { ...renderingSettingsOf(realm, author), writtenAt: sentAt },
    })
  } catch (err) {
    if (!(err instanceof AppError)) throw err
    return err.code === 'SERVICE_UNAVAILABLE' ? 'postponed' : null
  }
}
