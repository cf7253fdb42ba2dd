import { z } from 'zod'
import { domainEvent } from '../domain-event.ts'
import { botRecord } from './bots.ts'
import { personChange } from './person-changes.ts'
import { mutedUser, settingChange, userFacts, userWithActivity } from './records.ts'

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

/**
 * A bot was created, or something of it changed that only those see who manage it; told in the order of a bot's changes.
 * Who manages it can change with it.
 */
export const botUpdated = domainEvent({
  name: 'users.bot_updated.v1',
  producer: 'users',
  summary: 'A bot was created or changed, for those who manage it',
  payload: z.object({
    /** As it is now. */
    bot: botRecord,
    /** Names of what changed in it. */
    changed: z.array(z.string()),
    /** Who manages it as before, who does now and didn't, who did and doesn't any more. */
    kept_user_ids: z.array(z.int()),
    gained_user_ids: z.array(z.int()),
    lost_user_ids: z.array(z.int()),
  }),
  audience: ({ kept_user_ids, gained_user_ids, lost_user_ids }) => [
    { kind: 'users', userIds: [...kept_user_ids, ...gained_user_ids, ...lost_user_ids] },
  ],
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

/** The time zone is part of what everyone sees of a user. */
export const settingsUpdated = domainEvent({
  name: 'users.settings_updated.v1',
  producer: 'users',
  summary: "One user's settings changed",
  payload: z.object({ user_id: z.int(), changes: z.array(settingChange), facts: userFacts }),
  audience: ({ user_id, changes }) =>
    changes.some(({ property }) => property === 'timezone')
      ? [{ kind: 'realm' }]
      : [{ kind: 'users', userIds: [user_id] }],
})
