import { z } from 'zod'
import {
  type SettingDefinition,
  type SettingName,
  type SettingValue,
  settingDefinitions,
} from './settings.ts'

/** The allowed values of a personal setting. */
export function settingSchema({ default: standard, allowed }: SettingDefinition): z.ZodType<SettingValue> {
  if (typeof standard === 'boolean') return z.boolean()
  if (allowed === undefined) throw new Error('only booleans go without a list of values')
  if ('min' in allowed) return integerBetween(allowed)
  return z.literal([...allowed])
}

/** The values that requests may give to a personal setting, read as its allowed values. */
export function requestedSettingSchema(definition: SettingDefinition): z.ZodType<SettingValue> {
  const { allowed, aliases } = definition
  if (!aliases || !allowed || 'min' in allowed) return settingSchema(definition)
  return z
    .literal([...allowed, ...Object.keys(aliases)])
    .transform((value) => (typeof value === 'string' ? aliases[value] : undefined) ?? value)
}

/** Any of the personal settings by name, and nothing else. */
export const someSettings = z.strictObject(
  Object.fromEntries(
    settingDefinitions.map(([name, definition]) => [name, settingSchema(definition).optional()]),
  ) as Record<SettingName, z.ZodOptional<z.ZodType<SettingValue>>>,
)

function integerBetween({ min, max }: { readonly min: number; readonly max: number }): z.ZodType<number> {
  const error = `must be an integer from ${min} to ${max}`
  return z.int({ error }).min(min, { error }).max(max, { error })
}
