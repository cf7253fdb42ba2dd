/**
 * The name of the empty topic for people. The topic itself is stored, and sent to clients with the capability
 * `empty_topic_name`, as the empty string.
 */
export const EMPTY_TOPIC_NAME = 'general chat'

/**
 * The topic that a client names. The name of the empty topic means that topic in any spelling, since topics compare
 * ignoring case: clients without the capability know it by its name only.
 */
export function topicOf(name: string): string {
  return name.toLowerCase() === EMPTY_TOPIC_NAME ? '' : name
}

/** The name of a channel's topic for a client, which knows that topics may be empty or doesn't. */
export function topicNameFor(topic: string, knowsEmptyTopics: boolean): string {
  return topic === '' && !knowsEmptyTopics ? EMPTY_TOPIC_NAME : topic
}
