import { badRequest, type SubscriptionSettings } from '@tms/contracts'
import { parseColor } from './color.rules.ts'
import type { SettingColumn } from './subscription.queries.ts'

/** A setting as it is kept. */
export interface Setting {
  readonly property: SettingColumn
  readonly value: boolean | string
}

/**
 * Reads one setting of a client; `in_home_view` is `is_muted` the other way round. Throws BAD_REQUEST for a value
 * that the property doesn't take.
 */
export function parseSetting(property: keyof SubscriptionSettings, value: boolean | string): Setting {
  if (property === 'color') {
    if (typeof value !== 'string') throw badRequest('color is not a string')
    return { property, value: parseColor(value) }
  }
  if (typeof value !== 'boolean') throw badRequest(`${property} is not a boolean`)
  return property === 'in_home_view' ? { property: 'is_muted', value: !value } : { property, value }
}
