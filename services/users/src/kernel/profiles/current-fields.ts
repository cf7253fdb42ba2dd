import { optionKeysOf, type ProfileField, profileFieldTypes } from '@tms/contracts'

/** Profile values by field ID. */
export type ProfileData = Record<string, { value: string; rendered_value?: string }>

/**
 * Which profile values exist, by an organization's current fields. A job removes the others from accounts.
 *
 * Values of deleted fields are never shown, also before that: no ID of a field is used again. Values of deleted options
 * are shown until then, since their removal is an event: a client that registers before it must have the value, and an
 * option that is added again would bring values back without one.
 */
export interface CurrentFields {
  /** Differs if other values would be shown. */
  readonly key: string
  /** The values whose field exists; `data` itself if all do. */
  shownValues(data: ProfileData): ProfileData
  /** The values whose field and option exist; `data` itself if all do. */
  lastingValues(data: ProfileData): ProfileData
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
  const byId = new Map(fields.map((field) => [String(field.id), field]))
  return {
    key: fields
      .map(({ id }) => id)
      .toSorted((a, b) => a - b)
      .join(),
    shownValues: (data) => filterValues(data, (id) => byId.has(id)),
    lastingValues: (data) =>
      filterValues(data, (id, value) => {
        const field = byId.get(id)
        return field !== undefined && hasOption(field, value)
      }),
  }
}

/** True for fields without options. */
function hasOption(field: ProfileField, value: string): boolean {
  return field.type !== profileFieldTypes.SELECT.id || optionKeysOf(field).includes(value)
}

function filterValues(data: ProfileData, exists: (id: string, value: string) => boolean): ProfileData {
  const doesExist = ([id, { value }]: [string, { readonly value: string }]): boolean => exists(id, value)
  const entries = Object.entries(data)
  return entries.every(doesExist) ? data : Object.fromEntries(entries.filter(doesExist))
}
