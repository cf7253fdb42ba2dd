import { z } from 'zod'
import { domainEvent } from '../../domain-event.ts'
import { clientPresence, statusChange } from '../presence.ts'

/** That someone is away is a setting of theirs: `settingsUpdated` tells it. */
export const userStatusUpdated = domainEvent({
  name: 'users.user_status_updated.v1',
  producer: 'users',
  summary: 'What a user says of themselves changed',
  payload: z.object({ user_id: z.int(), change: statusChange }),
  audience: () => [{ kind: 'realm' }],
  subject: ({ user_id }) => user_id,
})

/** Passes by: told past the outbox, so it may be lost. */
export const presenceChanged = domainEvent({
  name: 'users.presence_changed.v1',
  producer: 'users',
  summary: 'A user came online, or no longer says whether they are',
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
})
