import { badRequest, externalAccounts, profileFieldTypes } from '@tms/contracts'
import { builtInAccountOf, checkFieldData } from './field-data.rules.ts'
import type { ProfileFieldText } from './profile-field.queries.ts'

const MAX_FIELDS = 200
const MAX_NAME_LENGTH = 40
const MAX_HINT_LENGTH = 80
const MAX_IN_SUMMARY = 2
/** Too long for a summary. */
const NEVER_IN_SUMMARY: readonly number[] = [profileFieldTypes.LONG_TEXT.id, profileFieldTypes.USER.id]

/** What a client sends of a field. */
export interface SentField {
  readonly name?: string | undefined
  readonly hint?: string | undefined
  readonly field_data?: Readonly<Record<string, unknown>> | undefined
  readonly display_in_profile_summary?: boolean | undefined
  readonly required?: boolean | undefined
}

type Known = ProfileFieldText & { readonly id: number; readonly type: number }

/** A new field, ready to be stored beside the others. Throws BAD_REQUEST. */
export function newField(type: number, sent: SentField, others: readonly Known[]): ProfileFieldText {
  if (others.length >= MAX_FIELDS)
    throw badRequest(`An organization has at most ${MAX_FIELDS} profile fields`)
  const builtIn = builtInAccountOf(type, sent.field_data ?? {})
  const { name = '', hint = '' } = builtIn ? externalAccounts[builtIn] : sent
  return checked(type, others, {
    name,
    hint,
    fieldData: checkFieldData(type, sent.field_data ?? {}),
    isInSummary: sent.display_in_profile_summary ?? false,
    isRequired: sent.required ?? false,
  })
}

/**
 * A field as a client wants it; what isn't sent stays. Of an account that is known by its subtype, only being in the
 * summary can change. Throws BAD_REQUEST.
 */
export function changedField(before: Known, sent: SentField, others: readonly Known[]): ProfileFieldText {
  const { type } = before
  const fieldData = sent.field_data === undefined ? before.fieldData : checkFieldData(type, sent.field_data)
  const after = checked(type, others, {
    name: sent.name ?? before.name,
    hint: sent.hint ?? before.hint,
    fieldData,
    isInSummary: sent.display_in_profile_summary ?? before.isInSummary,
    isRequired: sent.required ?? before.isRequired,
  })
  const isFixed = isBuiltIn(type, before.fieldData) || isBuiltIn(type, fieldData)
  const isOther = FIXED.some((key) => after[key] !== before[key])
  if (isFixed && isOther) throw badRequest('Default custom field cannot be updated.')
  return after
}

const FIXED = ['name', 'hint', 'fieldData', 'isRequired'] as const

const isBuiltIn = (type: number, fieldData: string): boolean =>
  fieldData !== '' && builtInAccountOf(type, JSON.parse(fieldData) as Record<string, unknown>) !== null

function checked(type: number, others: readonly Known[], field: ProfileFieldText): ProfileFieldText {
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
