import { badRequest, limits } from '@tms/contracts'

const CONTENT_MARKER = '\n[message truncated]'
const TOPIC_MARKER = '...'
const NO_TOPIC = '(no topic)'
/** What prefixes the topic of a resolved conversation: a check mark and a space. */
export const RESOLVED_PREFIX = '\u2714 '

/**
 * A message's text as it is stored: without trailing whitespace and leading newlines, cut to the limit.
 * Throws BAD_REQUEST for a text that is empty or holds NUL.
 */
export function normalizeContent(raw: string): string {
  const content = raw.trimEnd().replace(/^\n+/, '')
  if (content === '') throw badRequest('Message must not be empty')
  if (content.includes('\0')) throw badRequest('Message must not contain null bytes')
  return truncate(content, limits.maxMessageLength, CONTENT_MARKER)
}

/**
 * A topic as it is stored: trimmed and cut to the limit. Throws BAD_REQUEST for one that is missing or blank,
 * or that holds control characters or what is no character at all.
 */
export function normalizeTopic(raw: string | undefined): string {
  const topic = raw?.trim() ?? ''
  if (topic === '') throw badRequest("Topic can't be empty!")
  if (/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u.test(topic)) {
    throw badRequest('Invalid character in topic!')
  }
  return truncate(topic, limits.maxTopicLength, TOPIC_MARKER)
}

/** Whether a topic is the one that stands for none, which organizations may forbid. */
export function isMissingTopic(topic: string): boolean {
  return topic === NO_TOPIC
}

/** Whether a raw text speaks of its sender in the third person. */
export function isMeMessage(content: string): boolean {
  return content.startsWith('/me ')
}

/** Cuts a text so that with the marker it has exactly `limit` code points; a text within the limit stays. */
function truncate(text: string, limit: number, marker: string): string {
  // A code point takes one or two units, so only texts of more units than the limit need counting.
  if (text.length <= limit) return text
  const points = Array.from(text)
  if (points.length <= limit) return text
  return points.slice(0, limit - marker.length).join('') + marker
}
