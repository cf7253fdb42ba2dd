import type { ProfileField } from '@tms/contracts'
import { type ProfileData, profileDataOf } from './profile-data.rules.ts'

/**
 * An organization's current profile fields. Values of deleted fields stay in accounts until a job removes them, but are
 * never shown: no ID of a field is used again.
 */
export interface CurrentFields {
  /** Differs if other values would be shown. */
  readonly key: string
  /** The values whose field exists. */
  valuesOf(account: { readonly profileData: unknown }): ProfileData
}

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
  const ids = new Set(fields.map(({ id }) => String(id)))
  const isCurrent = ([id]: [string, unknown]): boolean => ids.has(id)
  return {
    key: fields
      .map(({ id }) => id)
      .toSorted((a, b) => a - b)
      .join(),
    valuesOf: (account) => {
      const data = profileDataOf(account)
      const entries = Object.entries(data)
      return entries.every(isCurrent) ? data : Object.fromEntries(entries.filter(isCurrent))
    },
  }
}
