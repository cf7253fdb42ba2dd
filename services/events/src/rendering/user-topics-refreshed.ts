import { domainEvents } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'
import { MUTED_TOPICS, mutedTopicsOf, USER_TOPIC } from './user-topic-updated.ts'

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
      return fieldsOf({ type: MUTED_TOPICS.type, muted_topics: own?.muted_topics })
    }
    return fieldsOf({ type: USER_TOPIC.type, ...own?.shown[index - USER_TOPIC.index] })
  },
})
