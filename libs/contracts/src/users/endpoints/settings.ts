import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'
import { optionalJson, optionalText, type Parameter } from '../../parameter.ts'
import {
  type SettingDefinition,
  type SettingName,
  type SettingValue,
  settingDefinitions,
} from '../settings.ts'

/** Who sees an address decides what the address is, so that is not chosen as the others are. */
const isPlain = ([name]: readonly [SettingName, SettingDefinition]): boolean =>
  name !== 'email_address_visibility'

function parameterOf({ default: standard, allowed }: SettingDefinition): Parameter<SettingValue, false> {
  if (typeof standard === 'boolean') return optionalJson(z.boolean())
  if (allowed === undefined) throw new Error('only booleans go without a list of values')
  if ('min' in allowed) return optionalJson(z.int().min(allowed.min).max(allowed.max))
  const values = z.literal([...allowed])
  return typeof standard === 'string' ? optionalText(values) : optionalJson(values)
}

export const updateSettings = endpoint({
  name: 'updateSettings',
  owner: 'users',
  method: 'PATCH',
  path: '/settings',
  auth: 'user',
  summary: 'Change your settings',
  parameters: {
    ...(Object.fromEntries(
      settingDefinitions.filter(isPlain).map(([name, definition]) => [name, parameterOf(definition)]),
    ) as { [Name in SettingName]: Parameter<SettingValue, false> }),
    timezone: optionalText(z.string(), { description: 'A name of the IANA time zone database.' }),
  },
  response: z.object({}),
})
