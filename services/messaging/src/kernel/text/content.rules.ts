import { badRequest, limits } from '@tms/contracts'

const CONTENT_MARKER = '\n[message truncated]'
const TOPIC_MARKER = '...'
const NO_TOPIC = '(no topic)'
/** Prefix of the topic of a resolved conversation: a check mark and a space. */
export const RESOLVED_PREFIX = '\u2714 '

/**
 * Normalizes the text of a message: removes trailing whitespace and leading newlines, and truncates it to the
 * limit. Throws BAD_REQUEST if it is empty or contains NUL.
 */
export function normalizeContent(raw: string): string {
  const content = raw.trimEnd().replace(/^\n+/, '')
  if (content === '') throw badRequest('Message must not be empty')
  if (content.includes('\0')) throw badRequest('Message must not contain null bytes')
  return truncate(content, limits.maxMessageLength, CONTENT_MARKER)
}

/**
 * Normalizes a topic: trims and truncates it to the limit. Throws BAD_REQUEST if it is missing or blank, or
 * contains control characters or code points that are not characters.
 */
export function normalizeTopic(raw: string | undefined): string {
  const topic = raw?.trim() ?? ''
  if (topic === '') throw badRequest("Topic can't be empty!")
  if (/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u.test(topic)) {
    throw badRequest('Invalid character in topic!')
  }
  return truncate(topic, limits.maxTopicLength, TOPIC_MARKER)
}

/** Whether a topic is the placeholder for a missing topic, which organizations may forbid. */
export function isMissingTopic(topic: string): boolean {
  return topic === NO_TOPIC
}

/** Whether a raw text is a `/me` message, which is shown in the third person. */
export function isMeMessage(content: string): boolean {
  return content.startsWith('/me ')
}

/**
 * Truncates a text so that it has exactly `limit` code points including the marker. A text within the limit is
 * unchanged.
 */
function truncate(text: string, limit: number, marker: string): string {
  // A code point takes one or two code units, so only texts with more units than the limit have to be counted.
  if (text.length <= limit) return text
  const points = Array.from(text)
  if (points.length <= limit) return text
  return points.slice(0, limit - marker.length).join('') + marker
}
