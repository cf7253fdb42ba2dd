import { AppError, internal } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import type { Notice } from '../kernel/pushes/push.ts'

/** What was handed over so recently is sent as it is: it was read right before. */
const FRESH_SECONDS = 5
/** A text that was read so recently is that of all who get the message. */
const MAX_AGE_MS = 5_000

/** Returns a notice with the text that its message has now; null if the message was deleted. */
export type RenewNotice = (
  realmId: number,
  notice: Notice,
  waitedSeconds: number,
) => Promise<Notice | null>

/**
 * Has what waited show the text as it is when it is sent: a message may be edited because it said too much. Rejects if
 * messaging doesn't answer.
 */
export function createNoticeRenewal({ call, now }: Pick<Context, 'call' | 'now'>): RenewNotice {
  const texts = new Map<number, { readonly until: number; readonly text: Promise<string | null> }>()

  const read = (realmId: number, messageId: number): Promise<string | null> => {
    const nowMs = now().getTime()
    // The oldest come first.
    for (const [id, { until }] of texts) {
      if (until > nowMs) break
      texts.delete(id)
    }
    const known = texts.get(messageId)
    if (known) return known.text
    const text = call(internal.messaging.listPushTexts, { realm_id: realmId, message_ids: [messageId] })
      .then(({ texts: [found] }) => found?.content ?? null)
      .catch((err: unknown) => {
        texts.delete(messageId)
        throw err
      })
    texts.set(messageId, { until: nowMs + MAX_AGE_MS, text })
    return text
  }

  return async (realmId, notice, waitedSeconds) => {
    if (notice.kind !== 'message' || waitedSeconds < FRESH_SECONDS) return notice
    try {
      const content = await read(realmId, notice.message.message_id)
      return content === null ? null : { ...notice, message: { ...notice.message, content } }
    } catch (err) {
      // Messaging of the release before doesn't know the call.
      if (err instanceof AppError && err.code === 'NOT_FOUND') return notice
      throw err
    }
  }
}
