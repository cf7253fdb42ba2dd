import { z } from 'zod'
import { domainEvent } from '../domain-event.ts'
import { personChange } from './person-changes.ts'
import { mutedUser, settingChange, userFacts, userWithActivity } from './records.ts'

export * from './events/presence.ts'

/** After it, every service can know the user. */
export const userCreated = domainEvent({
  name: 'users.user_created.v1',
  producer: 'users',
  summary: 'A user joined the organization',
  payload: z.object({ user: userWithActivity, facts: userFacts }),
  audience: () => [{ kind: 'realm' }],
})

/** Everything about a user that others see took another value, but the time zone, which is a setting. */
export const userUpdated = domainEvent({
  name: 'users.user_updated.v1',
  producer: 'users',
  summary: 'What others see of a user changed',
  payload: z.object({
    user_id: z.int(),
    changes: z.array(personChange),
    /** As they are now, with nothing hidden. */
    user: userWithActivity,
    facts: userFacts,
  }),
  audience: () => [{ kind: 'realm' }],
})

/** Clients learn of it from register; services need its facts. */
export const systemBotCreated = domainEvent({
  name: 'users.system_bot_created.v1',
  producer: 'users',
  summary: "An organization's own actor was created",
  payload: z.object({ facts: userFacts }),
  audience: () => [],
})

export const alertWordsUpdated = domainEvent({
  name: 'users.alert_words_updated.v1',
  producer: 'users',
  summary: "One user's alert words changed",
  payload: z.object({ user_id: z.int(), alert_words: z.array(z.string()), facts: userFacts }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
})

export const mutedUsersUpdated = domainEvent({
  name: 'users.muted_users_updated.v1',
  producer: 'users',
  summary: 'A user muted or unmuted another',
  payload: z.object({
    user_id: z.int(),
    muted_users: z.array(mutedUser),
    /** Whom the change muted; null when it unmuted. */
    newly_muted_user_id: z.int().nullable(),
    facts: userFacts,
  }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
})

/** Of the settings, what everyone sees of a user: the time zone, and whether they say that they are here. */
const SEEN_BY_ALL: readonly string[] = ['timezone', 'presence_enabled']

export const settingsUpdated = domainEvent({
  name: 'users.settings_updated.v1',
  producer: 'users',
  summary: "One user's settings changed",
  payload: z.object({ user_id: z.int(), changes: z.array(settingChange), facts: userFacts }),
  audience: ({ user_id, changes }) =>
    changes.some(({ property }) => SEEN_BY_ALL.includes(property))
      ? [{ kind: 'realm' }]
      : [{ kind: 'users', userIds: [user_id] }],
})
