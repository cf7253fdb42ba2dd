import { domainEvents } from '@tms/contracts'
import { type ClientEventRef, fieldsOf, present } from './presentation.ts'

const MUTED_TOPICS: ClientEventRef = { index: 0, type: 'muted_topics' }
const USER_TOPIC: ClientEventRef = { index: 1, type: 'user_topic' }

/**
 * `user_topic`, to each user about themselves, after the legacy list of all that they have muted; that is left
 * out for clients that name both types.
 */
export const presentUserTopicUpdated = present(domainEvents.messaging.userTopicUpdated, {
  list: (_payload, { eventTypes }) =>
    eventTypes?.has(MUTED_TOPICS.type) && eventTypes.has(USER_TOPIC.type)
      ? [USER_TOPIC]
      : [MUTED_TOPICS, USER_TOPIC],
  write: ({ stream_id, topic_name, last_updated, changes }, index, queue) => {
    const change = changes.find(({ user_id }) => user_id === queue.user_id)
    if (index === MUTED_TOPICS.index) {
      return fieldsOf({ type: 'muted_topics', muted_topics: change?.muted_topics })
    }
    const visibility_policy = change?.visibility_policy
    return fieldsOf({ type: 'user_topic', stream_id, topic_name, last_updated, visibility_policy })
  },
})
