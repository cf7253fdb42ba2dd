import { optionKeysOf, type ProfileField, profileFieldTypes, type UserChange } from '@tms/contracts'
import { renderShortText } from '@tms/short-texts'

/** Profile values by field ID. */
export type ProfileData = Record<string, { value: string; rendered_value?: string }>

const RENDERED: readonly number[] = [profileFieldTypes.SHORT_TEXT.id, profileFieldTypes.LONG_TEXT.id]

export function profileDataOf({ profileData }: { readonly profileData: unknown }): ProfileData {
  return profileData as ProfileData
}

/** Profile values after a change; null clears a field. */
export function applyValues(
  before: ProfileData,
  values: readonly { readonly field: ProfileField; readonly value: string | null }[],
): ProfileData {
  const after = { ...before }
  for (const { field, value } of values) {
    if (value === null) delete after[field.id]
    else
      after[field.id] = RENDERED.includes(field.type)
        ? { value, rendered_value: renderShortText(value) }
        : { value }
  }
  return after
}

/** The values whose field and option exist; `data` itself if all do. */
export function keepExisting(data: ProfileData, fields: readonly ProfileField[]): ProfileData {
  const byId = new Map(fields.map((field) => [String(field.id), field]))
  const exists = ([id, { value }]: [string, { readonly value: string }]): boolean => {
    const field = byId.get(id)
    if (!field) return false
    return field.type !== profileFieldTypes.SELECT.id || optionKeysOf(field).includes(value)
  }
  const entries = Object.entries(data)
  return entries.every(exists) ? data : Object.fromEntries(entries.filter(exists))
}

/** Events of a change. Deleted fields need none: their deletion is an event of its own. */
export function diffProfileData(
  before: ProfileData,
  after: ProfileData,
  fields: readonly ProfileField[],
): UserChange[] {
  return fields.flatMap(({ id }): UserChange[] => {
    const [had, has] = [before[id], after[id]]
    if (had?.value === has?.value) return []
    const custom_profile_field = { id, ...(has ?? { value: null }) }
    return [{ kind: 'custom_profile_field', custom_profile_field }]
  })
}
