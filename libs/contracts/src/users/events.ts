import { z } from 'zod'
import { domainEvent, Role } from '../domain-event.ts'
import { botRecord } from './bots.ts'
import { joining } from './joining.ts'
import { onboardingStep } from './onboarding.ts'
import { personChange } from './person-changes.ts'
import { mutedUser, settingChange, type UserProjection, userProjection, userWithActivity } from './records.ts'

export * from './events/guest-visibility.ts'
export * from './events/imports.ts'
export * from './events/presence.ts'
export * from './group-events.ts'

/** Of whom not everyone may hear; bots are seen by everyone. */
const personIn = ({ user_id, is_bot }: UserProjection): number | null => (is_bot ? null : user_id)

/** After it, every service can know the user. */
export const userCreated = domainEvent({
  name: 'users.user_created.v1',
  producer: 'users',
  summary: 'A user joined the organization',
  payload: z.object({
    user: userWithActivity,
    projection: userProjection,
    /** How they came to join; absent for whom the installation itself sets up, of which nobody is told. */
    joined: joining.optional(),
  }),
  audience: () => [{ kind: 'realm' }],
})

/** Clients fetch the list anew; it is told to those who may see it. */
export const invitationsChanged = domainEvent({
  name: 'users.invitations_changed.v1',
  producer: 'users',
  summary: 'Invitations were sent, accepted, revoked, or ended with their creator',
  payload: z.object({ creator_ids: z.array(z.int()) }),
  audience: ({ creator_ids }) => [
    { kind: 'realm', roleAtMost: Role.administrator },
    { kind: 'users', userIds: creator_ids },
  ],
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
    projection: userProjection,
  }),
  audience: () => [{ kind: 'realm' }],
  subject: ({ projection }) => personIn(projection),
})

/**
 * Follows a change of a user's role: that user sees delivery e-mails that they didn't, or no longer those that they
 * did. Many make several of these.
 */
export const emailVisibilityChanged = domainEvent({
  name: 'users.email_visibility_changed.v1',
  producer: 'users',
  summary: "A user's role changed, and with it whose delivery e-mails they see",
  payload: z.object({
    user_id: z.int(),
    /** Null where the new role doesn't see it. */
    addresses: z.array(z.object({ user_id: z.int(), delivery_email: z.string().nullable() })),
  }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
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
    remaining_user_ids: z.array(z.int()),
    gained_user_ids: z.array(z.int()),
    lost_user_ids: z.array(z.int()),
  }),
  audience: ({ remaining_user_ids, gained_user_ids, lost_user_ids }) => [
    { kind: 'users', userIds: [...remaining_user_ids, ...gained_user_ids, ...lost_user_ids] },
  ],
})

/** Clients learn of it from register; services need its facts. */
export const systemBotCreated = domainEvent({
  name: 'users.system_bot_created.v1',
  producer: 'users',
  summary: "An organization's own actor was created",
  payload: z.object({ projection: userProjection }),
  audience: () => [],
})

export const alertWordsUpdated = domainEvent({
  name: 'users.alert_words_updated.v1',
  producer: 'users',
  summary: "One user's alert words changed",
  payload: z.object({ user_id: z.int(), alert_words: z.array(z.string()), projection: userProjection }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
})

export const onboardingStepsChanged = domainEvent({
  name: 'users.onboarding_steps_changed.v1',
  producer: 'users',
  summary: 'A user read a one-time notice',
  payload: z.object({ user_id: z.int(), onboarding_steps: z.array(onboardingStep) }),
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
    projection: userProjection,
  }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
})

/** Of the settings, what everyone sees of a user: the time zone, and whether they say that they are here. */
const SEEN_BY_ALL: readonly string[] = ['timezone', 'presence_enabled']

export const settingsUpdated = domainEvent({
  name: 'users.settings_updated.v1',
  producer: 'users',
  summary: "One user's settings changed",
  payload: z.object({ user_id: z.int(), changes: z.array(settingChange), projection: userProjection }),
  audience: ({ user_id, changes }) =>
    changes.some(({ property }) => SEEN_BY_ALL.includes(property))
      ? [{ kind: 'realm' }]
      : [{ kind: 'users', userIds: [user_id] }],
  subject: ({ projection }) => personIn(projection),
})

/** `changes` are told to everyone; accounts that exist keep what they have. */
export const settingDefaultsUpdated = domainEvent({
  name: 'users.setting_defaults_updated.v1',
  producer: 'users',
  summary: 'What settings later accounts of the organization begin with changed',
  payload: z.object({ changes: z.array(settingChange) }),
  audience: () => [{ kind: 'realm' }],
})
