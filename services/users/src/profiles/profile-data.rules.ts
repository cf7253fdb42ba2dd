import { type ProfileField, profileFieldTypes, type UserChange } from '@tms/contracts'
import { renderShortText } from '@tms/short-texts'
import type { ProfileData } from '../kernel/profiles/current-fields.ts'

const RENDERED: readonly number[] = [profileFieldTypes.SHORT_TEXT.id, profileFieldTypes.LONG_TEXT.id]

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
