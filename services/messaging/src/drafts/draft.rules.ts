import { badRequest, type DraftRecord, limits, type NewDraft } from '@tms/contracts'
import { tooManyRecipientsError } from '../kernel/messages/message-target.rules.ts'
import { normalizeContent, normalizeTopicText } from '../kernel/text/content.rules.ts'

/**
 * Normalizes a draft: text and topic like those of a message, except that the topic stays as it is written, and only
 * the fields that its type has. Throws BAD_REQUEST. Doesn't check whether its recipients exist.
 */
export function normalizeDraft(
  draft: NewDraft,
  { userId, now }: { userId: number; now: Date },
): Omit<DraftRecord, 'id'> {
  const { type } = draft
  const to = type === '' ? [] : [...new Set(draft.to)]
  if (type === 'stream' && to.length !== 1) {
    throw badRequest('Must specify exactly 1 channel ID for channel messages')
  }
  if (to.filter((id) => id !== userId).length > limits.maxDirectMessageRecipients)
    throw tooManyRecipientsError()
  return {
    type,
    to,
    topic: type === 'stream' ? normalizeTopicText(draft.topic) : '',
    content: normalizeContent(draft.content),
    timestamp: Math.floor(draft.timestamp ?? now.getTime() / 1000),
  }
}
