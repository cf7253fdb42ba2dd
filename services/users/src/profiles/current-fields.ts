import { optionKeysOf, type ProfileField, profileFieldTypes } from '@tms/contracts'
import { type ProfileData, profileDataOf } from './profile-data.rules.ts'

/**
 * An organization's current profile fields. Values of deleted fields and options stay in accounts until a job removes
 * them, but are never shown.
 */
export interface CurrentFields {
  /** Differs if other values would be shown. */
  readonly key: string
  /** The values whose field and option exist. */
  valuesOf(account: { readonly profileData: unknown }): ProfileData
}

const byText = (one: string, other: string): number => (one < other ? -1 : 1)

const known = new WeakMap<readonly ProfileField[], CurrentFields>()

/** Cached by list of fields: every request needs it. */
export function currentFieldsOf(fields: readonly ProfileField[]): CurrentFields {
  const before = known.get(fields)
  if (before) return before
  const created = createCurrentFields(fields)
  known.set(fields, created)
  return created
}

function createCurrentFields(fields: readonly ProfileField[]): CurrentFields {
  const optionsOf = new Map(
    fields.map((field) => [
      String(field.id),
      field.type === profileFieldTypes.SELECT.id ? new Set(optionKeysOf(field)) : null,
    ]),
  )
  const isRemoved = ([id, { value }]: [string, { readonly value: string }]): boolean => {
    const options = optionsOf.get(id)
    return options === undefined || (options !== null && !options.has(value))
  }
  return {
    key: [...optionsOf]
      .map(([id, options]) => JSON.stringify([id, options && [...options].toSorted(byText)]))
      .toSorted(byText)
      .join(),
    valuesOf: (account) => {
      const data = profileDataOf(account)
      const entries = Object.entries(data)
      return entries.some(isRemoved) ? Object.fromEntries(entries.filter((entry) => !isRemoved(entry))) : data
    },
  }
}
