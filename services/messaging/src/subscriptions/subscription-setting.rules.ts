import { badRequest, type SubscriptionSettings } from '@tms/contracts'
import { parseColor } from './color.rules.ts'
import type { SettingColumn } from './setting.queries.ts'

/** A stored setting. */
export interface Setting {
  readonly property: SettingColumn
  readonly value: boolean | string
}

/**
 * Parses a setting from a client; `in_home_view` is the inverse of `is_muted`. Throws BAD_REQUEST for an invalid
 * value.
 */
export function parseSetting(property: keyof SubscriptionSettings, value: boolean | string): Setting {
  if (property === 'color') {
    if (typeof value !== 'string') throw badRequest('color is not a string')
    return { property, value: parseColor(value) }
  }
  if (typeof value !== 'boolean') throw badRequest(`${property} is not a boolean`)
  return property === 'in_home_view' ? { property: 'is_muted', value: !value } : { property, value }
}
