import { type PersonChange, type ProfileField, profileFieldTypes } from '@tms/contracts'
import { renderShortText } from '@tms/short-texts'

/** What someone filled in, by the ID of the field. */
export type ProfileData = Record<string, { value: string; rendered_value?: string }>

const RENDERED: readonly number[] = [profileFieldTypes.SHORT_TEXT.id, profileFieldTypes.LONG_TEXT.id]

export function profileDataOf({ profileData }: { readonly profileData: unknown }): ProfileData {
  return profileData as ProfileData
}

/** What someone has filled in after values took the place of others; null clears. */
export function withValues(
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

/** What is told of a change. That a field is gone says all there is to say of its values. */
export function profileChanges(
  before: ProfileData,
  after: ProfileData,
  fields: readonly ProfileField[],
): PersonChange[] {
  return fields.flatMap(({ id }): PersonChange[] => {
    const [had, has] = [before[id], after[id]]
    if (had?.value === has?.value) return []
    const custom_profile_field = { id, ...(has ?? { value: null }) }
    return [{ kind: 'custom_profile_field', custom_profile_field }]
  })
}
