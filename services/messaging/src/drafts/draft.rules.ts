import { badRequest, type DraftRecord, limits, type NewDraft } from '@tms/contracts'
import { tooManyRecipients } from '../messages/addressee.rules.ts'
import { normalizeContent, normalizeTopic } from '../messages/content.rules.ts'

/**
 * A user's draft as it is stored: text and topic as a message would have them, though the topic may still be missing, and
 * only what its type has. Throws BAD_REQUEST. Whether its addressees exist is another question.
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
  if (to.filter((id) => id !== userId).length > limits.maxDirectMessageRecipients) throw tooManyRecipients()
  return {
    type,
    to,
    topic: type === 'stream' && draft.topic.trim() !== '' ? normalizeTopic(draft.topic) : '',
    content: normalizeContent(draft.content),
    timestamp: Math.floor(draft.timestamp ?? now.getTime() / 1000),
  }
}
