import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalJson, optionalText, type Parameter } from '../../declarations/parameter.ts'
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

function parameterOf(definition: SettingDefinition): Parameter<SettingValue, false> {
  const schema = requestedSettingSchema(definition)
  const { default: standard, description } = definition
  const more = description === undefined ? {} : { description }
  return typeof standard === 'string' ? optionalText(schema, more) : optionalJson(schema, more)
}

const parametersOf = <Name extends SettingName>(names: (name: SettingName) => boolean) =>
  Object.fromEntries(
    settingDefinitions
      .filter(([name]) => names(name))
      .map(([name, definition]) => [name, parameterOf(definition)]),
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
    new_password: optionalText(z.string()),
    ...parametersOf<SettingName>(() => true),
    timezone: optionalText(z.string(), { description: 'A name of the IANA time zone database.' }),
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
  parameters: parametersOf<DefaultableSetting>(isDefaultable),
  response: z.object({}),
})
