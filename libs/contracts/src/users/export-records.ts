import { z } from 'zod'
import { limits } from '../declarations/limits.ts'
import { type GroupPermission, groupPermissionNames } from '../permissions/permission-settings.ts'
import { Role } from '../permissions/role.ts'
import { FIRST_CUSTOM_GROUP_ID } from '../permissions/system-groups.ts'
import { BotType } from './bots.ts'
import { someSettings } from './setting-schema.ts'
import { EmailVisibility } from './settings.ts'

/** IDs have 32 bits in the database; higher ones would leave the importing installation no room for its own. */
const MAX_ID = 2_000_000_000
/** Name of a person or bot. */
const MAX_NAME_LENGTH = 100
const id = z.int().min(1).max(MAX_ID)
const ids = z.array(id)
/** Text that the database can store. */
const text = z
  .string()
  .refine((value) => !/[\0\p{Cs}]/u.test(value), { error: 'has a character that is no text' })
const textUpTo = (max: number) =>
  text.refine((value) => [...value].length <= max, { error: `has more than ${max} characters` })
/** Up to the year 9999. */
const time = z.number().nonnegative().max(253_402_300_799)
const email = text.max(320).regex(/^[^\s@]+@[^\s@]+$/, { error: 'is no e-mail address' })
const role = z.literal(Object.values(Role))

const account = {
  user_id: id,
  delivery_email: email
    .nullable()
    .describe(
      'The address that the account signs in with and receives mail at. Null in a public export if the account hides it from everybody: after an import that account has an address made from its ID.',
    ),
  full_name: textUpTo(MAX_NAME_LENGTH).min(1),
  role: role.describe('100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.'),
  is_active: z.boolean().describe('False for a deactivated account.'),
  date_joined: time.describe('UNIX seconds, with milliseconds as decimals.'),
  timezone: text.describe('A name of the IANA database; empty if none was chosen.'),
  email_address_visibility: z
    .literal(Object.values(EmailVisibility))
    .describe(
      'Who can see `delivery_email`: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.',
    ),
  avatar_version: z.int().min(1).max(MAX_ID).describe('Increases with every new picture.'),
  avatar_file: z
    .string()
    .regex(/^[0-9a-f]{40}$/, { error: 'is no name of an avatar' })
    .nullable()
    .describe(
      'Name of the uploaded picture; its files have this name with `.png` (100 pixels), `-medium.png` (500 pixels) and, in a full export, `.original` (as it was uploaded). Null for a gravatar.',
    ),
  settings: someSettings.describe(
    'Settings that differ from the default of the installation, by the names of `PATCH /settings`. Empty in a public export.',
  ),
  alert_words: z
    .array(textUpTo(limits.maxAlertWordLength))
    .max(limits.maxAlertWords)
    .describe('In the order in which they were added. Empty in a public export.'),
  seen_onboarding_steps: z
    .array(textUpTo(MAX_NAME_LENGTH))
    .max(100)
    .optional()
    .describe(
      'One-time notices that the account has read. Empty in a public export, absent in older exports.',
    ),
  muted_users: z
    .array(z.strictObject({ id, timestamp: z.int().nonnegative() }))
    .max(limits.maxMutedUsers)
    .describe(
      'Users that the account has muted, with the time (UNIX seconds), in that order. Empty in a public export.',
    ),
  status: z
    .strictObject({
      status_text: text.optional(),
      emoji_name: text.optional(),
      emoji_code: text.optional(),
      reaction_type: text.optional(),
    })
    .describe('Status of the account; empty if it has none.'),
  profile_data: z
    .record(
      z.string().regex(/^\d{1,10}$/),
      z.strictObject({
        value: text,
        rendered_value: text
          .optional()
          .describe('HTML, for text fields. An import renders it again from `value`.'),
      }),
    )
    .describe('Values of custom profile fields, by the ID of the field.'),
}

const settingDefaults = z
  .strictObject({
    kind: z.literal('setting_defaults'),
    settings: someSettings.describe('Settings that differ from the defaults of the installation.'),
  })
  .describe('Default settings of new accounts that the organization has chosen. At most one.')

const user = z
  .strictObject({ kind: z.literal('user'), ...account })
  .describe(
    'A person with an account, by ID. Passwords and API keys are not exported: users request a new password by mail after an import.',
  )

const bot = z
  .strictObject({
    kind: z.literal('bot'),
    ...account,
    bot_type: z
      .literal(Object.values(BotType))
      .nullable()
      .describe('1 generic, 2 incoming and 3 outgoing webhook.'),
    bot_owner_id: id.nullable(),
    is_system_bot: z
      .boolean()
      .describe("The organization's notification bot, which informs users. At most one."),
    default_sending_stream_id: id
      .nullable()
      .optional()
      .describe(
        'ID of the default channel; null in a public export. Without the IDs a bot has no default channels after an import.',
      ),
    default_events_register_stream_id: id.nullable().optional(),
    default_sending_stream: text
      .nullable()
      .describe('Name of the default channel, if the owner of the bot can see it; null in a public export.'),
    default_events_register_stream: text.nullable(),
    default_all_public_streams: z.boolean(),
    payload_url: text
      .nullable()
      .describe('URL of an outgoing webhook. Null in a public export, since it may contain a secret.'),
    service_interface: z
      .int()
      .min(1)
      .max(2)
      .nullable()
      .describe('Format of its calls: 1 generic, 2 Slack’s.'),
    config_data: z
      .record(text, text)
      .optional()
      .describe(
        'Its configuration: texts by key. Empty in a public export, since it may contain a secret; absent in older exports.',
      ),
  })
  .describe(
    'A bot, by ID. Its API key and the token of an outgoing webhook are not exported: both are new after an import.',
  )

const botStorage = z
  .strictObject({
    kind: z.literal('bot_storage'),
    user_id: id.describe('The bot.'),
    key: textUpTo(limits.maxBotStorageKeyLength),
    value: textUpTo(limits.maxBotStorageCharacters),
  })
  .describe('A value that a bot has stored under a key; not in public exports.')

const savedSnippet = z
  .strictObject({
    kind: z.literal('saved_snippet'),
    user_id: id,
    title: textUpTo(limits.maxSavedSnippetTitleLength).min(1),
    content: textUpTo(limits.maxMessageLength).min(1),
    date_created: time.describe('In the format of `date_joined`.'),
  })
  .describe("A user's saved snippet; not in public exports.")

const provisionedUser = z
  .strictObject({
    kind: z.literal('provisioned_user'),
    user_id: id,
    external_id: text.nullable().describe("The provisioning system's own ID of the user (`externalId`)."),
    user_name: text
      .nullable()
      .describe('The user name that the system uses (`userName`); null if it is the address.'),
    is_deleted: z.boolean().describe('The system has deleted the user, whose account is inactive then.'),
  })
  .describe(
    'What a provisioning system (SCIM) has stored of a user, by which it knows the user again after an import; not in public exports. Its token is not exported.',
  )

const groupSetting = z
  .union([id, z.strictObject({ direct_members: ids, direct_subgroups: ids })])
  .describe('Who has this permission: the members of a group, or of all listed users and groups.')
const groupSettings = Object.fromEntries(groupPermissionNames.map((name) => [name, groupSetting])) as Record<
  GroupPermission,
  typeof groupSetting
>

const userGroup = z
  .strictObject({
    kind: z.literal('user_group'),
    id: id.min(FIRST_CUSTOM_GROUP_ID),
    name: textUpTo(limits.maxUserGroupNameLength).min(1),
    description: textUpTo(limits.maxUserGroupDescriptionLength),
    creator_id: id.nullable().describe('ID of the user who created it; null if not known.'),
    date_created: time.nullable().describe('In the format of `date_joined`; null if not known.'),
    members: ids.describe('IDs of direct members.'),
    direct_subgroup_ids: ids.describe('IDs below 100 are system groups, which every organization has.'),
    deactivated: z.boolean(),
    ...groupSettings,
  })
  .describe('A custom user group, by ID. System groups exist everywhere and are not exported.')

const invitation = z
  .strictObject({
    kind: z.literal('invitation'),
    id,
    email,
    invited_by_user_id: id,
    invited_as: role,
    stream_ids: ids.describe('IDs of the channels that the new user is subscribed to.'),
    group_ids: ids.describe('IDs of the groups that the new user joins.'),
    include_realm_default_subscriptions: z.boolean(),
    notify_referrer_on_join: z.boolean(),
    invited: time.describe('When it was last sent, in the format of `date_joined`.'),
    expiry_date: time.nullable().describe('In the format of `date_joined`; null for never.'),
  })
  .describe(
    'An open invitation by mail, by ID; not in public exports. The key in its mail is not exported: resend it after an import. Reusable links consist of a key only, so they are not exported.',
  )

/** Every record of `users.ndjson`, in the order of the kinds. */
export const usersRecord = z.discriminatedUnion('kind', [
  settingDefaults,
  user,
  bot,
  botStorage,
  savedSnippet,
  provisionedUser,
  userGroup,
  invitation,
])
export type UsersRecord = z.output<typeof usersRecord>
/** A record of one kind. */
export type UsersRecordOf<Kind extends UsersRecord['kind']> = Extract<UsersRecord, { readonly kind: Kind }>
