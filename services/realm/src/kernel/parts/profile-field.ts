import type { ProfileField as ProfileFieldRecord, ProfileFieldType } from '@tms/contracts'
import type { ProfileField } from '../../generated/prisma/client.ts'

/** A custom profile field as clients receive it. */
export function showProfileField(field: ProfileField): ProfileFieldRecord {
  return {
    id: field.id,
    name: field.name,
    // Only these are ever stored.
    type: field.type as ProfileFieldType,
    hint: field.hint,
    field_data: field.fieldData,
    order: field.position,
    required: field.isRequired,
    editable_by_user: field.isEditable,
    ...(field.isInSummary ? { display_in_profile_summary: true } : {}),
  }
}
