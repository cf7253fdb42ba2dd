import { badRequest, limits, topicOf } from '@tms/contracts'
import { normalizeTopicText } from '../kernel/text/content.rules.ts'

/**
 * Parses the topic of a setting. Throws BAD_REQUEST if no message can have it: unlike that of a message, it isn't
 * truncated.
 */
export function parseTopicName(raw: string): string {
  if (Array.from(raw.trim()).length > limits.maxTopicLength) {
    throw badRequest(`topic is too long (limit: ${limits.maxTopicLength} characters)`)
  }
  return topicOf(normalizeTopicText(raw))
}
