import { domainEvents, type MutedTopic, topicNameFor } from '@tms/contracts'
import type { QueueState } from '../kernel/queue-state.ts'
import { type ClientEventRef, fieldsOf, present, type RenderedQueue } from './presentation.ts'

export const MUTED_TOPICS: ClientEventRef = { index: 0, type: 'muted_topics' }
export const USER_TOPIC: ClientEventRef = { index: 1, type: 'user_topic' }

/** The legacy list of all muted topics of a user; omitted for clients that request both types. */
export const mutedTopicsOf = ({ eventTypes }: QueueState): readonly ClientEventRef[] =>
  eventTypes?.has(MUTED_TOPICS.type) && eventTypes.has(USER_TOPIC.type) ? [] : [MUTED_TOPICS]

/** Writes the legacy list. */
export function mutedTopics(
  topics: readonly MutedTopic[] | null | undefined,
  { knows_empty_topics }: RenderedQueue,
): string {
  return fieldsOf({
    type: MUTED_TOPICS.type,
    muted_topics: topics?.map(([channel, topic, since]) => [
      channel,
      topicNameFor(topic, knows_empty_topics),
      since,
    ]),
  })
}

/** `user_topic`, to each user about the user's own topics, after the legacy list. */
export const presentUserTopicUpdated = present(domainEvents.messaging.userTopicUpdated, {
  list: (_payload, queue) => [...mutedTopicsOf(queue), USER_TOPIC],
  write: ({ stream_id, topic_name, last_updated, changes }, index, queue) => {
    const change = changes.find(({ user_id }) => user_id === queue.user_id)
    if (index === MUTED_TOPICS.index) {
      return mutedTopics(change?.muted_topics, queue)
    }
    const visibility_policy = change?.visibility_policy
    return fieldsOf({
      type: USER_TOPIC.type,
      stream_id,
      topic_name: topicNameFor(topic_name, queue.knows_empty_topics),
      last_updated,
      visibility_policy,
    })
  },
})
