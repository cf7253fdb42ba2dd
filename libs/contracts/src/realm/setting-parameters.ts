import { z } from 'zod'
import { optionalJson, optionalText, optionalTextOrJson, type Parameter } from '../parameter.ts'
import { type SystemGroupName, systemGroupIds } from '../system-groups.ts'
import { languages } from '../users/languages.ts'
import {
  messageTimeLimits,
  type PlainRealmSetting,
  plainRealmSettings,
  type RealmGroupSetting,
  realmGroupSettings,
  settingsForClients,
} from './settings.ts'

type Optional<T> = Parameter<T, false>
type MessageTimeLimit = (typeof messageTimeLimits)[number]

const numberOrUnlimited = (unit: string) =>
  optionalTextOrJson(z.union([z.int(), z.string()]), { description: `${unit}, or \`unlimited\`.` })

/** A number alone says nothing to who got it wrong. */
const nameGroup = (group: SystemGroupName): string => `${systemGroupIds[group]} (${group})`

/** Every setting that `PATCH /realm` takes. */
export const realmSettingParameters = {
  name: optionalText(z.string()),
  description: optionalText(z.string()),
  string_id: optionalText(z.string(), {
    description: 'Only for demo organizations, of which there are none.',
  }),
  default_language: optionalText(z.enum(languages), {
    description: 'Such as `en` or `pt-br`; accounts begin with it.',
  }),
  default_code_block_language: optionalText(z.string(), {
    description: 'Of code blocks without a language; empty for none.',
  }),
  jitsi_server_url: optionalTextOrJson(z.string(), { description: settingsForClients.jitsi_server_url }),
  authentication_methods: optionalJson(z.record(z.string(), z.boolean()), {
    description: 'Whether each way to sign in is on.',
  }),
  waiting_period_threshold: optionalTextOrJson(z.union([z.int(), z.string()]), {
    description: 'Days after which a member is a full one.',
  }),
  message_retention_days: numberOrUnlimited('Days after which messages are deleted'),
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
  ...(Object.fromEntries(
    Object.entries(realmGroupSettings).map(([name, groups]) => [
      name,
      optionalJson(
        z.literal(
          groups.map((group) => systemGroupIds[group]),
          { error: `must be one of ${groups.map(nameGroup).join(', ')}` },
        ),
        { description: `ID of ${groups.join(', ')}.` },
      ),
    ]),
  ) as Record<RealmGroupSetting, Optional<number>>),
}
