import { z } from 'zod'
import { domainEvent } from '../../domain-event.ts'
import { mutedTopic, userTopic } from '../records.ts'

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

/**
 * Follows what let users know of a channel, or hid it from them, or named it anew, for those who have set something for topics there.
 * One change may come in several events.
 */
export const userTopicsRefreshed = domainEvent({
  name: 'messaging.user_topics_refreshed.v1',
  producer: 'messaging',
  summary:
    'What users have set for topics is told again, as a channel came into sight, went out of it or is called otherwise',
  payload: z.object({
    users: z.array(
      z.object({
        user_id: z.int(),
        /** What they have set in channels that came into sight. What is out of sight now isn't told of. */
        shown: z.array(userTopic),
        /** All topics that they have muted in what they see, for clients that only know of those; null where that is as it was told. */
        muted_topics: z.array(mutedTopic).nullable(),
      }),
    ),
  }),
  audience: ({ users }) => [{ kind: 'users', userIds: users.map(({ user_id }) => user_id) }],
})
