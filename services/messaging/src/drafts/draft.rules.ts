import { badRequest, type DraftRecord, type NewDraft } from '@tms/contracts'
import { normalizeContent, normalizeTopic } from '../messages/content.rules.ts'

/**
 * A draft as it is stored: text and topic as a message would have them, though the topic may still be missing, and
 * only what its type has. Throws BAD_REQUEST. Whether its addressees exist is another question.
 */
export function normalizeDraft(draft: NewDraft, now: Date): Omit<DraftRecord, 'id'> {
  const { type } = draft
  const to = type === '' ? [] : [...new Set(draft.to)]
  if (type === 'stream' && to.length !== 1) {
    throw badRequest('Must specify exactly 1 channel ID for channel messages')
  }
  return {
    type,
    to,
    topic: type === 'stream' && draft.topic.trim() !== '' ? normalizeTopic(draft.topic) : '',
    content: normalizeContent(draft.content),
    timestamp: Math.floor(draft.timestamp ?? now.getTime() / 1000),
  }
}
