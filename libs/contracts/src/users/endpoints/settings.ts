import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalJson, optionalText, type Parameter } from '../../declarations/parameter.ts'
import { describeSetting } from '../setting-descriptions.ts'
import { requestedSettingSchema } from '../setting-schema.ts'
import {
  type DefaultableSetting,
  isDefaultable,
  type SettingDefinition,
  type SettingName,
  type SettingValue,
  settingDefinitions,
} from '../settings.ts'

type SettingParameters<Name extends SettingName> = { [N in Name]: Parameter<SettingValue, false> }

function parameterOf(name: SettingName, definition: SettingDefinition): Parameter<SettingValue, false> {
  const schema = requestedSettingSchema(definition)
  const description = describeSetting(name)
  return typeof definition.default === 'string'
    ? optionalText(schema, { description })
    : optionalJson(schema, { description })
}

const parametersOf = <Name extends SettingName>(names: (name: SettingName) => boolean) =>
  Object.fromEntries(
    settingDefinitions
      .filter(([name]) => names(name))
      .map(([name, definition]) => [name, parameterOf(name, definition)]),
  ) as SettingParameters<Name>

/** All settings are changed, or none. */
const ownSettings = {
  method: 'PATCH',
  owner: 'users',
  auth: 'user',
  parameters: {
    full_name: optionalText(z.string(), {
      description: 'Ignored without an error if the organization lets only administrators change it.',
    }),
    email: optionalText(z.string(), {
      description: 'Takes effect once the link that is sent to the new address is opened.',
    }),
    old_password: optionalText(z.string(), { description: 'The current password; with `new_password`.' }),
    new_password: optionalText(z.string(), { description: 'The password to have; with `old_password`.' }),
    ...parametersOf<SettingName>(() => true),
    timezone: optionalText(z.string(), {
      description:
        'A name of the IANA time zone database: the times of mails, digests and quiet hours. UTC until one is chosen.',
    }),
  },
  response: z.object({}),
} as const

export const updateSettings = endpoint({
  ...ownSettings,
  name: 'updateSettings',
  path: '/settings',
  summary: 'Change your settings',
})

export const updateDisplaySettings = endpoint({
  ...ownSettings,
  name: 'updateDisplaySettings',
  path: '/settings/display',
  summary: 'Change your settings, by an older path',
})

export const updateNotificationSettings = endpoint({
  ...ownSettings,
  name: 'updateNotificationSettings',
  path: '/settings/notifications',
  summary: 'Change your settings, by another older path',
})

export const updateSettingDefaults = endpoint({
  name: 'updateSettingDefaults',
  owner: 'users',
  method: 'PATCH',
  path: '/realm/user_settings_defaults',
  auth: 'administrator',
  summary: 'Change the default settings of new accounts',
  description:
    'Existing accounts keep their settings. The defaults that are named below are those of an organization that changed none.',
  parameters: parametersOf<DefaultableSetting>(isDefaultable),
  response: z.object({}),
})
