import { z } from 'zod'
import { Role } from '../domain-event.ts'
import { limits } from '../limits.ts'
import { FIRST_CUSTOM_GROUP_ID } from '../system-groups.ts'
import { BotType } from '../users/bots.ts'
import { someSettings } from '../users/setting-schema.ts'
import { EmailVisibility } from '../users/settings.ts'

/** IDs are 32 bits wide in the database; higher ones would leave the installation that takes them no room for its own. */
const MAX_ID = 2_000_000_000
/** Of a person or bot. */
const MAX_NAME_LENGTH = 100
const id = z.int().min(1).max(MAX_ID)
const ids = z.array(id)
/** What the database can store as text. */
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
      'The address by which the account signs in and gets mail. Null in a public export for whoever shows it to nobody: after its import that account has an address made of its ID.',
    ),
  full_name: textUpTo(MAX_NAME_LENGTH).min(1),
  role: role.describe('100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.'),
  is_active: z.boolean().describe('False for a deactivated account.'),
  date_joined: time.describe('UNIX seconds, with milliseconds as decimals.'),
  timezone: text.describe('A name of the IANA database; empty if none was chosen.'),
  email_address_visibility: z
    .literal(Object.values(EmailVisibility))
    .describe('Who sees `delivery_email`: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators.'),
  avatar_version: z.int().min(1).max(MAX_ID).describe('Grows with every new picture.'),
  avatar_file: z
    .string()
    .regex(/^[0-9a-f]{40}$/, { error: 'is no name of an avatar' })
    .nullable()
    .describe(
      'The uploaded picture, whose files are called this with `.png` (100 pixels), `-medium.png` (500 pixels) and, in a full export, `.original` (as it was uploaded). Null for a gravatar.',
    ),
  settings: someSettings.describe(
    'What the account has chosen where that differs from the default of the installation, by the names of `PATCH /settings`. Empty in a public export.',
  ),
  alert_words: z
    .array(textUpTo(limits.maxAlertWordLength))
    .max(limits.maxAlertWords)
    .describe('In the order in which they were added. Empty in a public export.'),
  seen_onboarding_steps: z
    .array(textUpTo(MAX_NAME_LENGTH))
    .max(100)
    .optional()
    .describe('One-time notices that the account has read. Empty in a public export, absent in older ones.'),
  muted_users: z
    .array(z.strictObject({ id, timestamp: z.int().nonnegative() }))
    .max(limits.maxMutedUsers)
    .describe(
      'Whom the account has muted since when (UNIX seconds), in that order. Empty in a public export.',
    ),
  status: z
    .strictObject({
      status_text: text.optional(),
      emoji_name: text.optional(),
      emoji_code: text.optional(),
      reaction_type: text.optional(),
    })
    .describe('What the account says of itself; empty for nothing.'),
  profile_data: z
    .record(
      z.string().regex(/^\d{1,10}$/),
      z.strictObject({
        value: text,
        rendered_value: text
          .optional()
          .describe('HTML, for fields that are texts. An import makes it anew of `value`.'),
      }),
    )
    .describe('What was filled into the custom profile fields, by the ID of the field.'),
}

const settingDefaults = z
  .strictObject({
    kind: z.literal('setting_defaults'),
    settings: someSettings.describe('Those that differ from the defaults of the installation.'),
  })
  .describe('What settings new accounts begin with, as far as the organization has decided it. At most one.')

const user = z
  .strictObject({ kind: z.literal('user'), ...account })
  .describe(
    'A person with an account, by ID. Passwords and API keys are not exported: who comes along with an import asks for a new password by mail.',
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
      .describe("The organization's own actor, which tells people what happened. At most one."),
    default_sending_stream_id: id
      .nullable()
      .optional()
      .describe(
        'Channels; null in a public export. Without their IDs a bot has no default channels after an import.',
      ),
    default_events_register_stream_id: id.nullable().optional(),
    default_sending_stream: text
      .nullable()
      .describe('What they are called, as far as the owner of the bot sees them; null in a public export.'),
    default_events_register_stream: text.nullable(),
    default_all_public_streams: z.boolean(),
    payload_url: text
      .nullable()
      .describe('What an outgoing webhook calls. Null in a public export, since it may contain a secret.'),
    service_interface: z
      .int()
      .min(1)
      .max(2)
      .nullable()
      .describe('The form in which it calls: 1 generic, 2 Slack’s.'),
    config_data: z
      .record(text, text)
      .optional()
      .describe(
        'How it is configured: texts by key. Empty in a public export, since it may contain a secret; absent in older ones.',
      ),
  })
  .describe(
    'A bot, by ID. Its API key and the token that an outgoing webhook shows are not exported: both are others after an import.',
  )

const botStorage = z
  .strictObject({
    kind: z.literal('bot_storage'),
    user_id: id.describe('The bot.'),
    key: textUpTo(limits.maxBotStorageKeyLength),
    value: textUpTo(limits.maxBotStorageCharacters),
  })
  .describe('What a bot has stored under a key; only in full exports.')

const userGroup = z
  .strictObject({
    kind: z.literal('user_group'),
    id: id.min(FIRST_CUSTOM_GROUP_ID),
    name: textUpTo(limits.maxUserGroupNameLength).min(1),
    description: textUpTo(limits.maxUserGroupDescriptionLength),
    members: ids.describe('IDs of direct members.'),
    direct_subgroup_ids: ids.describe('IDs below 100 are groups that every organization has.'),
    can_mention_group: z
      .union([id, z.strictObject({ direct_members: ids, direct_subgroups: ids })])
      .describe('Who may mention it: the members of a group, or of all that are listed.'),
  })
  .describe('A group that people made, by ID. Groups of roles exist everywhere and are not exported.')

const invitation = z
  .strictObject({
    kind: z.literal('invitation'),
    id,
    email,
    invited_by_user_id: id,
    invited_as: role,
    stream_ids: ids.describe('IDs of the channels that the person is subscribed to.'),
    include_realm_default_subscriptions: z.boolean(),
    notify_referrer_on_join: z.boolean(),
    invited: time.describe('When it was last sent, as `date_joined`.'),
    expiry_date: time.nullable().describe('As `date_joined`; null for never.'),
  })
  .describe(
    'An open invitation by mail, by ID; only in full exports. The key in its mail is not exported: resend it after an import. Reusable links are nothing but a key, so they are not exported at all.',
  )

/** What stands in `users.ndjson`, in the order of the kinds. */
export const usersRecord = z.discriminatedUnion('kind', [
  settingDefaults,
  user,
  bot,
  botStorage,
  userGroup,
  invitation,
])
export type UsersRecord = z.output<typeof usersRecord>
/** A record of one kind. */
export type UsersRecordOf<Kind extends UsersRecord['kind']> = Extract<UsersRecord, { readonly kind: Kind }>
