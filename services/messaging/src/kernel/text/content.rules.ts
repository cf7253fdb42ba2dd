import { badRequest, limits, topicOf } from '@tms/contracts'

const CONTENT_MARKER = '\n[message truncated]'
const TOPIC_MARKER = '...'
/** What clients that don't know the empty topic write to it. */
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
 * Normalizes the topic that a message or a typing notification goes to: as it is written, except that the name of the
 * empty topic and the placeholder of older clients mean that topic. Throws BAD_REQUEST, also if it is missing.
 */
export function normalizeTopic(raw: string | undefined): string {
  if (raw === undefined) throw badRequest("Topic can't be empty!")
  const topic = normalizeTopicText(raw)
  return topic === NO_TOPIC ? '' : topicOf(topic)
}

/**
 * Normalizes the text of a topic: trims and truncates it to the limit. Throws BAD_REQUEST if it contains control
 * characters or code points that are not characters.
 */
export function normalizeTopicText(raw: string): string {
  const topic = raw.trim()
  if (/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u.test(topic)) {
    throw badRequest('Invalid character in topic!')
  }
  return truncate(topic, limits.maxTopicLength, TOPIC_MARKER)
}

/** Throws BAD_REQUEST for the empty topic where topics are mandatory. */
export function checkMandatoryTopic(realm: { readonly mandatory_topics: boolean }, topic: string): void {
  if (realm.mandatory_topics && topic === '') throw badRequest('Topics are required in this organization')
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
