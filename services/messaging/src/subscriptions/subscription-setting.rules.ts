import { badRequest } from '@tms/contracts'
import { parseColor } from './color.rules.ts'
import type { SettingColumn } from './subscription.queries.ts'

const FLAGS: ReadonlySet<string> = new Set<SettingColumn>([
  'is_muted',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
])

/** A setting as it is kept. */
export interface Setting {
  readonly property: SettingColumn
  readonly value: boolean | string
}

/**
 * Reads one setting of a client; `in_home_view` is `is_muted` the other way round. Throws BAD_REQUEST for a property
 * that there isn't, or a value of another type.
 */
export function parseSetting(property: string, value: boolean | string): Setting {
  if (property === 'color') {
    if (typeof value !== 'string') throw badRequest('color is not a string')
    return { property, value: parseColor(value) }
  }
  const column = property === 'in_home_view' ? 'is_muted' : property
  if (!isFlag(column)) throw badRequest(`Unknown subscription property: ${property}`)
  if (typeof value !== 'boolean') throw badRequest(`${property} is not a boolean`)
  return { property: column, value: property === 'in_home_view' ? !value : value }
}

const isFlag = (property: string): property is SettingColumn => FLAGS.has(property)
