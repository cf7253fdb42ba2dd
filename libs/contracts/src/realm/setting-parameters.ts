import { z } from 'zod'
import { optionalJson, optionalText, optionalTextOrJson, type Parameter } from '../declarations/parameter.ts'
import { type GroupSettingChange, groupSettingChange } from '../permissions/group-setting-value.ts'
import {
  type LegacyPolicyName,
  legacyPolicyNames,
  legacyPolicyValues,
  permissionNamesOfPolicy,
} from '../permissions/legacy-policies.ts'
import {
  describeAcceptedGroups,
  permissionsForClients,
  type RealmPermission,
  realmPermissionNames,
  realmPermissions,
} from '../permissions/permission-settings.ts'
import { languages } from '../users/languages.ts'
import { auditRetentionDays } from './audit-log.ts'
import {
  historyVisibility,
  messageTimeLimits,
  type PlainRealmSetting,
  plainRealmSettings,
  settingsForClients,
} from './settings.ts'

type Optional<T> = Parameter<T, false>
type MessageTimeLimit = (typeof messageTimeLimits)[number]

const numberOrUnlimited = (unit: string) =>
  optionalTextOrJson(z.union([z.int(), z.string()]), { description: `${unit}, or \`unlimited\`.` })

/** Every setting that `PATCH /realm` takes. */
export const realmSettingParameters = {
  name: optionalText(z.string()),
  description: optionalText(z.string()),
  string_id: optionalText(z.string(), {
    description: 'Only for demo organizations, of which there are none.',
  }),
  default_language: optionalText(z.enum(languages), {
    description: 'Such as `en` or `pt-br`; the language of new accounts.',
  }),
  default_code_block_language: optionalText(z.string(), {
    description: 'Language of code blocks that name none; empty for none.',
  }),
  message_edit_history_visibility_policy: optionalText(historyVisibility, {
    description: 'Which edits the history of a message shows: `all`, `moves`, or `none`.',
  }),
  jitsi_server_url: optionalTextOrJson(z.string(), { description: settingsForClients.jitsi_server_url }),
  authentication_methods: optionalJson(z.record(z.string(), z.boolean()), {
    description:
      'Whether each authentication method is enabled; those that are left out stay as they are. One must be enabled.',
  }),
  waiting_period_threshold: optionalTextOrJson(z.union([z.int(), z.string()]), {
    description: 'Days after which a member becomes a full member.',
  }),
  message_retention_days: numberOrUnlimited('Days after which messages are deleted'),
  audit_log_retention_days: numberOrUnlimited(
    `Days after which entries of the audit log are deleted, at least ${auditRetentionDays.min} or what the installation says`,
  ),
  ...(Object.fromEntries(messageTimeLimits.map((name) => [name, numberOrUnlimited('Seconds')])) as Record<
    MessageTimeLimit,
    Optional<number | string>
  >),
  ...(Object.fromEntries(
    Object.entries(plainRealmSettings).map(([name, values]) => [
      name,
      optionalJson(values as z.ZodType, {
        description: (settingsForClients as Readonly<Record<string, string>>)[name] ?? '',
      }),
    ]),
  ) as { [K in PlainRealmSetting]: Optional<z.output<(typeof plainRealmSettings)[K]>> }),
  digest_emails_enabled: optionalJson(plainRealmSettings.digest_emails_enabled, {
    description: 'Users who were away for five days get a mail each week about what they missed.',
  }),
  digest_weekday: optionalJson(plainRealmSettings.digest_weekday, {
    description: 'The day of digests: 0 is Monday. They come at 18 o’clock of the time zone of each user.',
  }),
  require_e2ee_push_notifications: optionalJson(plainRealmSettings.require_e2ee_push_notifications, {
    description:
      'Apps whose notifications are not encrypted for the device show that there is a message, and neither text nor names.',
  }),
  moderation_request_channel_id: optionalJson(plainRealmSettings.moderation_request_channel_id, {
    description:
      'A private channel for reports about messages, or -1; it stays private. Users cannot report any yet.',
  }),
  ...(Object.fromEntries(
    legacyPolicyNames.map((name) => [
      name,
      optionalJson(legacyPolicyValues[name], {
        description: `Older form of ${permissionNamesOfPolicy(name)
          .map((permission) => `\`${permission}\``)
          .join(' and ')}.`,
      }),
    ]),
  ) as Record<LegacyPolicyName, Optional<number>>),
  ...(Object.fromEntries(
    realmPermissionNames.map((name) => [
      name,
      optionalJson(groupSettingChange, {
        description: [
          ...(permissionsForClients[name] ? [permissionsForClients[name]] : []),
          describeAcceptedGroups(realmPermissions[name]),
          'Or `{"new": …, "old": …}`: refused if the current value isn\'t `old`, which may be left out.',
        ].join(' '),
      }),
    ]),
  ) as Record<RealmPermission, Optional<GroupSettingChange>>),
}
