import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { mutedTopic, userTopic } from '../records.ts'

/** Comes before the message that caused it. Contains only users whose policy really changed. */
export const userTopicUpdated = domainEvent({
  name: 'messaging.user_topic_updated.v1',
  producer: 'messaging',
  summary: 'Visibility policies of users for a topic changed',
  payload: z.object({
    stream_id: z.int(),
    topic_name: z.string(),
    /** UNIX seconds. */
    last_updated: z.int(),
    changes: z.array(
      z.object({
        user_id: z.int(),
        visibility_policy: z.int(),
        /** All muted topics of the user after the change, for clients that know only those. */
        muted_topics: z.array(mutedTopic),
      }),
    ),
  }),
  audience: ({ changes }) => [{ kind: 'users', userIds: changes.map(({ user_id }) => user_id) }],
  audit: { none: "A user's own view of topics." },
})

/**
 * Follows an event that made a channel visible to users, hid it from them, or renamed it, for users with visibility
 * policies for its topics. One change may cause several events.
 */
export const userTopicsRefreshed = domainEvent({
  name: 'messaging.user_topics_refreshed.v1',
  producer: 'messaging',
  summary:
    'Visibility policies of users for topics, sent again because a channel became visible, was hidden or was renamed',
  payload: z.object({
    users: z.array(
      z.object({
        user_id: z.int(),
        /** Their policies in channels that became visible. Policies in hidden channels aren't sent. */
        shown: z.array(userTopic),
        /**
         * All muted topics in channels that they can see, for clients that know only those; null if the list is
         * unchanged.
         */
        muted_topics: z.array(mutedTopic).nullable(),
      }),
    ),
  }),
  audience: ({ users }) => [{ kind: 'users', userIds: users.map(({ user_id }) => user_id) }],
  audit: { none: "A user's own view of topics." },
})
