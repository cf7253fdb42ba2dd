import { z } from 'zod'
import { domainEvent } from '../../domain-event.ts'
import { mutedTopic } from '../records.ts'

/** Comes before the message that caused it. Only users whose policy really changed are in it. */
export const userTopicUpdated = domainEvent({
  name: 'messaging.user_topic_updated.v1',
  producer: 'messaging',
  summary: 'How users want to see a topic changed',
  payload: z.object({
    stream_id: z.int(),
    topic_name: z.string(),
    /** UNIX seconds. */
    last_updated: z.int(),
    changes: z.array(
      z.object({
        user_id: z.int(),
        visibility_policy: z.int(),
        /** All topics that the user has muted after the change, for clients that only know of those. */
        muted_topics: z.array(mutedTopic),
      }),
    ),
  }),
  audience: ({ changes }) => [{ kind: 'users', userIds: changes.map(({ user_id }) => user_id) }],
})
