import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { clientPresence, statusChange } from '../presence.ts'

/** `away` is a setting: `settingsUpdated` publishes it. */
export const userStatusUpdated = domainEvent({
  name: 'users.user_status_updated.v1',
  producer: 'users',
  summary: "A user's status changed",
  payload: z.object({ user_id: z.int(), change: statusChange }),
  audience: () => [{ kind: 'realm' }],
  subject: ({ user_id }) => user_id,
  audit: { none: 'A status is content, not administration.' },
})

/** Transient: published without the outbox, so it may be lost. */
export const presenceChanged = domainEvent({
  name: 'users.presence_changed.v1',
  producer: 'users',
  summary: 'A user came online, or turned presence off',
  payload: z.object({
    user_id: z.int(),
    /** API e-mail. */
    email: z.string(),
    /** UNIX seconds. */
    server_timestamp: z.number(),
    presence: clientPresence,
  }),
  audience: () => [{ kind: 'realm' }],
  subject: ({ user_id }) => user_id,
  audit: { none: 'It is about a moment.' },
})
