import { optionKeysOf, type ProfileField, profileFieldTypes } from '@tms/contracts'
import { type ProfileData, profileDataOf } from './profile-data.rules.ts'

/**
 * The profile fields that an organization has now. Values of fields and options that are gone stay in people's rows until
 * a job has removed them; nobody is shown them.
 */
export interface CurrentFields {
  /** Differs where other values would be shown. */
  readonly key: string
  /** What of someone's profile data there are fields and options for. */
  valuesOf(person: { readonly profileData: unknown }): ProfileData
}

const byText = (one: string, other: string): number => (one < other ? -1 : 1)

const known = new WeakMap<readonly ProfileField[], CurrentFields>()

/** Made once for each list of fields: it is asked for with each request. */
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
  const isGone = ([id, { value }]: [string, { readonly value: string }]): boolean => {
    const options = optionsOf.get(id)
    return options === undefined || (options !== null && !options.has(value))
  }
  return {
    key: [...optionsOf]
      .map(([id, options]) => JSON.stringify([id, options && [...options].toSorted(byText)]))
      .toSorted(byText)
      .join(),
    valuesOf: (person) => {
      const data = profileDataOf(person)
      const entries = Object.entries(data)
      return entries.some(isGone) ? Object.fromEntries(entries.filter((entry) => !isGone(entry))) : data
    },
  }
}
