import { z } from 'zod'
import type { AuditEntry } from '../../declarations/audit.ts'
import { domainEvent } from '../../declarations/domain-event.ts'
import { Role } from '../../permissions/role.ts'
import { botRecord } from '../bots.ts'
import { exportConsent } from '../export-consents.ts'
import { joining } from '../joining.ts'
import { onboardingStep } from '../onboarding.ts'
import { personChange, type UserChange } from '../person-changes.ts'
import {
  mutedUser,
  settingChange,
  type UserProjection,
  userProjection,
  userWithActivity,
} from '../records.ts'

/** The subject of an event about a person, which not everyone may receive; bots are visible to everyone. */
const personIn = ({ user_id, is_bot }: UserProjection): number | null => (is_bot ? null : user_id)

/** Other services learn of the user from this event. */
export const userCreated = domainEvent({
  name: 'users.user_created.v1',
  producer: 'users',
  summary: 'A user joined the organization',
  payload: z.object({
    user: userWithActivity,
    projection: userProjection,
    /** How the user joined; absent for users that the installation itself creates, which aren't announced. */
    joined: joining.optional(),
  }),
  audience: () => [{ kind: 'realm' }],
  audit: {
    actions: { user_created: 'An account was created, by an invitation or otherwise' },
    entries: ({ user, joined }) => [
      {
        action: 'user_created',
        target: { type: 'user', ids: [user.user_id] },
        details: {
          full_name: user.full_name,
          role: user.role,
          is_bot: user.is_bot,
          ...(joined?.inviter_id === undefined ? {} : { inviter_id: joined.inviter_id }),
        },
      },
    ],
  },
})

const invitationChange = z.object({
  change: z.enum(['sent', 'accepted', 'revoked', 'ended_with_creator']),
  type: z.enum(['invitation', 'invitation_link']),
  ids: z.array(z.int()),
  /** What those who accept get; absent where that is known by the entry of when it was sent. */
  role: z.int().optional(),
  channel_ids: z.array(z.int()).optional(),
})
export type InvitationChange = z.output<typeof invitationChange>

/** Clients fetch the list again; sent to users who may see it. */
export const invitationsChanged = domainEvent({
  name: 'users.invitations_changed.v1',
  producer: 'users',
  summary: 'Invitations were sent, accepted, revoked, or ended with their creator',
  payload: z.object({
    creator_ids: z.array(z.int()),
    changes: z.array(invitationChange),
    /** Whether clients are to hear of it. The caller whose invitations were sent in part gets an error, and no event. */
    is_announced: z.boolean(),
  }),
  audience: ({ creator_ids, is_announced }) =>
    is_announced
      ? [
          { kind: 'realm', roleAtMost: Role.administrator },
          { kind: 'users', userIds: creator_ids },
        ]
      : [],
  audit: {
    actions: { invitations_changed: 'Invitations were sent, accepted, revoked, or ended with their creator' },
    entries: ({ creator_ids, changes }) =>
      changes.map(({ type, ids, ...change }) => ({
        action: 'invitations_changed' as const,
        target: { type, ids },
        details: { creator_ids, ...change },
      })),
  },
})

const userActions = {
  user_role_changed: "A user's role changed",
  user_deactivated: 'An account was deactivated',
  user_reactivated: 'An account was reactivated',
  user_renamed: "A user's name changed",
  user_email_changed: "A user's e-mail address changed",
  bot_owner_changed: 'A bot got another owner',
  user_avatar_changed: "A user's picture changed",
  user_profile_changed: "A custom field of a user's profile changed",
} as const

/** Addresses are left out: not every administrator may see them. */
function describeChange(change: UserChange): AuditEntry<keyof typeof userActions> {
  switch (change.kind) {
    case 'role':
      return { action: 'user_role_changed', details: { before: change.previous_role, after: change.role } }
    case 'is_active':
      return { action: change.is_active ? 'user_reactivated' : 'user_deactivated' }
    case 'full_name':
      return { action: 'user_renamed', details: { after: change.full_name } }
    case 'delivery_email':
      return { action: 'user_email_changed' }
    case 'new_email':
      return { action: 'user_email_changed', details: { api_email: true } }
    case 'bot_owner_id':
      return { action: 'bot_owner_changed', details: { after: change.bot_owner_id } }
    case 'avatar':
      return { action: 'user_avatar_changed' }
    case 'custom_profile_field':
      return { action: 'user_profile_changed', details: { field_id: change.custom_profile_field.id } }
  }
}

/** Properties that others see changed, except the time zone, which is a setting. */
export const userUpdated = domainEvent({
  name: 'users.user_updated.v1',
  producer: 'users',
  summary: 'Properties of a user that others see changed',
  payload: z.object({
    user_id: z.int(),
    changes: z.array(personChange),
    /** The current record, with nothing hidden. */
    user: userWithActivity,
    projection: userProjection,
  }),
  audience: () => [{ kind: 'realm' }],
  subject: ({ projection }) => personIn(projection),
  audit: {
    actions: userActions,
    entries: ({ user_id, changes }) =>
      changes.map((change) => ({ ...describeChange(change), target: { type: 'user', ids: [user_id] } })),
  },
})

/**
 * Follows a change of a user's role: delivery e-mails that the user can see now, or can't see any more. Many are
 * split over several of these events.
 */
export const emailVisibilityChanged = domainEvent({
  name: 'users.email_visibility_changed.v1',
  producer: 'users',
  summary: "A user's role changed, and with it the delivery e-mails that they can see",
  payload: z.object({
    user_id: z.int(),
    /** Null if the new role can't see it. */
    addresses: z.array(z.object({ user_id: z.int(), delivery_email: z.string().nullable() })),
  }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
  audit: { none: 'It follows from the change of a role, which has its entry.' },
})

/**
 * A bot was created, or a property that only its managers see changed; published in the order of a bot's changes. Its
 * managers can change with it.
 */
export const botUpdated = domainEvent({
  name: 'users.bot_updated.v1',
  producer: 'users',
  summary: 'A bot was created or changed, for its managers',
  payload: z.object({
    bot: botRecord,
    /** Names of the changed properties. */
    changed: z.array(z.string()),
    /** Managers before and now, only now, and only before. */
    remaining_user_ids: z.array(z.int()),
    gained_user_ids: z.array(z.int()),
    lost_user_ids: z.array(z.int()),
  }),
  audience: ({ remaining_user_ids, gained_user_ids, lost_user_ids }) => [
    { kind: 'users', userIds: [...remaining_user_ids, ...gained_user_ids, ...lost_user_ids] },
  ],
  audit: {
    actions: { bot_updated: "A bot's key, owner, channels or configuration changed" },
    entries: ({ bot, changed }) =>
      changed.length > 0
        ? [{ action: 'bot_updated', target: { type: 'user', ids: [bot.user_id] }, details: { changed } }]
        : [],
  },
})

/** Clients learn of it from register; services need its projection. */
export const systemBotCreated = domainEvent({
  name: 'users.system_bot_created.v1',
  producer: 'users',
  summary: "An organization's notification bot was created",
  payload: z.object({ projection: userProjection }),
  audience: () => [],
  audit: { none: 'The installation makes it with the organization.' },
})

export const alertWordsUpdated = domainEvent({
  name: 'users.alert_words_updated.v1',
  producer: 'users',
  summary: "One user's alert words changed",
  payload: z.object({ user_id: z.int(), alert_words: z.array(z.string()), projection: userProjection }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
  audit: { none: 'A personal setting concerns nobody else.' },
})

export const onboardingStepsChanged = domainEvent({
  name: 'users.onboarding_steps_changed.v1',
  producer: 'users',
  summary: 'A user read a one-time notice',
  payload: z.object({ user_id: z.int(), onboarding_steps: z.array(onboardingStep) }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
  audit: { none: 'A personal setting concerns nobody else.' },
})

export const mutedUsersUpdated = domainEvent({
  name: 'users.muted_users_updated.v1',
  producer: 'users',
  summary: 'A user muted or unmuted another',
  payload: z.object({
    user_id: z.int(),
    muted_users: z.array(mutedUser),
    /** The user that the change muted; null if it unmuted. */
    newly_muted_user_id: z.int().nullable(),
    projection: userProjection,
  }),
  audience: ({ user_id }) => [{ kind: 'users', userIds: [user_id] }],
  audit: { none: 'A personal setting concerns nobody else.' },
})

/** For the projection alone. */
export const pushDevicesChanged = domainEvent({
  name: 'users.push_devices_changed.v1',
  producer: 'users',
  summary: 'A user got a first device for notifications, or lost the last one',
  payload: z.object({ user_id: z.int(), projection: userProjection }),
  audience: () => [],
  audit: { none: 'Devices that a user registers or removes have their entries.' },
})

/** Settings that everyone sees of a user: the time zone, and whether presence is shown. */
const VISIBLE_TO_ALL: readonly string[] = ['timezone', 'presence_enabled']

export const settingsUpdated = domainEvent({
  name: 'users.settings_updated.v1',
  producer: 'users',
  summary: "One user's settings changed",
  payload: z.object({ user_id: z.int(), changes: z.array(settingChange), projection: userProjection }),
  audience: ({ user_id, changes }) =>
    changes.some(({ property }) => VISIBLE_TO_ALL.includes(property))
      ? [{ kind: 'realm' }]
      : [{ kind: 'users', userIds: [user_id] }],
  subject: ({ projection }) => personIn(projection),
  audit: { none: 'A personal setting concerns nobody else.' },
})

/** Follows the change of the setting, for administrators. */
export const exportConsentChanged = domainEvent({
  name: 'users.export_consent_changed.v1',
  producer: 'users',
  summary: 'A user let their private data be exported, or no longer',
  payload: exportConsent,
  audience: () => [{ kind: 'realm', roleAtMost: Role.administrator }],
  audit: {
    actions: { export_consent_changed: 'A user let their private data be exported, or no longer' },
    entries: ({ user_id, consented }) => [
      { action: 'export_consent_changed', target: { type: 'user', ids: [user_id] }, details: { consented } },
    ],
  },
})

/** `changes` are sent to everyone; existing accounts keep their settings. */
export const settingDefaultsUpdated = domainEvent({
  name: 'users.setting_defaults_updated.v1',
  producer: 'users',
  summary: 'Default settings of new accounts of an organization changed',
  payload: z.object({ changes: z.array(settingChange) }),
  audience: () => [{ kind: 'realm' }],
  audit: {
    actions: { setting_defaults_updated: 'Default settings of new accounts changed' },
    entries: ({ changes }) => [{ action: 'setting_defaults_updated', details: { after: changes } }],
  },
})
