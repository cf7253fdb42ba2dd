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
  usedRealmSettings,
} from './settings.ts'

type Optional<T> = Parameter<T, false>
type MessageTimeLimit = (typeof messageTimeLimits)[number]

const numberOrUnlimited = (unit: string) =>
  optionalTextOrJson(z.union([z.int(), z.string()]), { description: `${unit}, or \`unlimited\`.` })

const descriptions: Readonly<Record<PlainRealmSetting, string>> = {
  ...settingsForClients,
  ...usedRealmSettings,
}

/** Every setting that `PATCH /realm` takes. */
export const realmSettingParameters = {
  name: optionalText(z.string(), { description: 'The name that users see.' }),
  description: optionalText(z.string(), { description: 'What the organization is for; clients show it.' }),
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
        description: descriptions[name as PlainRealmSetting],
      }),
    ]),
  ) as { [K in PlainRealmSetting]: Optional<z.output<(typeof plainRealmSettings)[K]>> }),
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
