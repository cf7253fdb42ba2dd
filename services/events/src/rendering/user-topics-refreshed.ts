import { domainEvents, topicNameFor } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'
import { MUTED_TOPICS, mutedTopics, mutedTopicsOf, USER_TOPIC } from './user-topic-updated.ts'

/** `muted_topics` if that list changed, then `user_topic` for each topic that became visible. */
export const presentUserTopicsRefreshed = present(domainEvents.messaging.userTopicsRefreshed, {
  list: ({ users }, queue) => {
    const own = users.find(({ user_id }) => user_id === queue.record.user_id)
    const lists = own?.muted_topics ? mutedTopicsOf(queue) : []
    const shown = own?.shown.map((_topic, at) => ({ index: USER_TOPIC.index + at, type: USER_TOPIC.type }))
    return [...lists, ...(shown ?? [])]
  },
  write: ({ users }, index, queue) => {
    const own = users.find(({ user_id }) => user_id === queue.user_id)
    if (index === MUTED_TOPICS.index) {
      return mutedTopics(own?.muted_topics, queue)
    }
    const shown = own?.shown[index - USER_TOPIC.index]
    if (!shown) return fieldsOf({ type: USER_TOPIC.type })
    const topic_name = topicNameFor(shown.topic_name, queue.knows_empty_topics)
    return fieldsOf({ type: USER_TOPIC.type, ...shown, topic_name })
  },
})
