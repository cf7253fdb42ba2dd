import { badRequest, externalAccounts, profileFieldTypes } from '@tms/contracts'
import { builtInAccountOf, checkFieldData } from './field-data.rules.ts'
import type { ProfileFieldText } from './profile-field.queries.ts'

const MAX_FIELDS = 200
const MAX_NAME_LENGTH = 40
const MAX_HINT_LENGTH = 80
const MAX_IN_SUMMARY = 2
/** Too long for a summary. */
const NEVER_IN_SUMMARY: readonly number[] = [profileFieldTypes.LONG_TEXT.id, profileFieldTypes.USER.id]

/** A client's input for a field. */
export interface ProfileFieldInput {
  readonly name?: string | undefined
  readonly hint?: string | undefined
  readonly field_data?: Readonly<Record<string, unknown>> | undefined
  readonly display_in_profile_summary?: boolean | undefined
  readonly required?: boolean | undefined
  readonly editable_by_user?: boolean | undefined
}

type StoredField = ProfileFieldText & { readonly id: number; readonly type: number }

/** Validates a new field and returns it as it is stored. Throws BAD_REQUEST. */
export function newField(
  type: number,
  input: ProfileFieldInput,
  others: readonly StoredField[],
): ProfileFieldText {
  if (others.length >= MAX_FIELDS)
    throw badRequest(`An organization has at most ${MAX_FIELDS} profile fields`)
  const builtIn = builtInAccountOf(type, input.field_data ?? {})
  const { name = '', hint = '' } = builtIn ? externalAccounts[builtIn] : input
  return checked(type, others, {
    name,
    hint,
    fieldData: checkFieldData(type, input.field_data ?? {}),
    isInSummary: input.display_in_profile_summary ?? false,
    isRequired: input.required ?? false,
    isEditable: input.editable_by_user ?? true,
  })
}

/**
 * A field with a client's changes; fields that aren't sent stay. Of a built-in account only change whether it is
 * in the summary and who fills it in. Throws BAD_REQUEST.
 */
export function changedField(
  before: StoredField,
  input: ProfileFieldInput,
  others: readonly StoredField[],
): ProfileFieldText {
  const { type } = before
  const fieldData = input.field_data === undefined ? before.fieldData : checkFieldData(type, input.field_data)
  const after = checked(type, others, {
    name: input.name ?? before.name,
    hint: input.hint ?? before.hint,
    fieldData,
    isInSummary: input.display_in_profile_summary ?? before.isInSummary,
    isRequired: input.required ?? before.isRequired,
    isEditable: input.editable_by_user ?? before.isEditable,
  })
  const isFixed = isBuiltIn(type, before.fieldData) || isBuiltIn(type, fieldData)
  const hasChanged = FIXED.some((key) => after[key] !== before[key])
  if (isFixed && hasChanged) throw badRequest('Default custom field cannot be updated.')
  return after
}

const FIXED = ['name', 'hint', 'fieldData', 'isRequired'] as const

const isBuiltIn = (type: number, fieldData: string): boolean =>
  fieldData !== '' && builtInAccountOf(type, JSON.parse(fieldData) as Record<string, unknown>) !== null

function checked(type: number, others: readonly StoredField[], field: ProfileFieldText): ProfileFieldText {
  const name = field.name.trim()
  const hint = field.hint.trim()
  if (name === '') throw badRequest('Label cannot be blank.')
  if ([...name].length > MAX_NAME_LENGTH)
    throw badRequest(`name is too long (limit: ${MAX_NAME_LENGTH} characters)`)
  if ([...hint].length > MAX_HINT_LENGTH)
    throw badRequest(`hint is too long (limit: ${MAX_HINT_LENGTH} characters)`)
  if (others.some((other) => other.name === name)) throw badRequest('A field with that label already exists.')
  if (field.isInSummary) {
    if (NEVER_IN_SUMMARY.includes(type))
      throw badRequest('Field type not supported for display in profile summary.')
    if (others.filter(({ isInSummary }) => isInSummary).length >= MAX_IN_SUMMARY)
      throw badRequest('Only 2 custom profile fields can be displayed in the profile summary.')
  }
  return { ...field, name, hint }
}
