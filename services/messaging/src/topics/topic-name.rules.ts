import { badRequest, limits } from '@tms/contracts'
import { normalizeTopic } from '../messages/content.rules.ts'

/** The topic that a client names in a setting. Throws BAD_REQUEST for one that no message can have: none is cut. */
export function namedTopic(raw: string): string {
  if (Array.from(raw.trim()).length > limits.maxTopicLength) {
    throw badRequest(`topic is too long (limit: ${limits.maxTopicLength} characters)`)
  }
  return normalizeTopic(raw)
}
