import {
  badRequest,
  optionKeysOf,
  type ProfileField,
  type ProfileValue,
  profileFieldTypes,
} from '@tms/contracts'
import { isWebAddress } from '@tms/service-kit'

const { SHORT_TEXT, LONG_TEXT, SELECT, DATE, URL, USER, EXTERNAL_ACCOUNT, PRONOUNS } = profileFieldTypes

const MAX_LENGTHS: Readonly<Record<number, number>> = {
  [SHORT_TEXT.id]: 50,
  [LONG_TEXT.id]: 500,
  [EXTERNAL_ACCOUNT.id]: 50,
  [PRONOUNS.id]: 50,
}
const MAX_URL_LENGTH = 2_000
const MAX_USERS = 1_000

/** The stored value; null clears the field. `userIds` must be users of the organization. */
export interface CheckedValue {
  readonly field: ProfileField
  readonly value: string | null
  readonly userIds: readonly number[]
}

/** Validates a value for a field. Throws BAD_REQUEST. */
export function checkValue(field: ProfileField, sent: ProfileValue['value']): CheckedValue {
  if (sent === null || sent.length === 0) return { field, value: null, userIds: [] }
  if (field.type === USER.id) return checkUsers(field, sent)
  if (typeof sent !== 'string') throw badRequest(`${field.name} is not a string`)
  checkText(field, sent)
  return { field, value: sent, userIds: [] }
}

function checkText(field: ProfileField, value: string): void {
  const { name, type } = field
  const maxLength = MAX_LENGTHS[type]
  if (maxLength !== undefined && [...value].length > maxLength)
    throw badRequest(`${name} is too long (limit: ${maxLength} characters)`)
  if (type === SELECT.id && !optionKeysOf(field).includes(value))
    throw badRequest(`'${value}' is not a valid choice for '${name}'.`)
  if (type === DATE.id && !isDate(value)) throw badRequest(`${name} is not a date`)
  if (type === URL.id && !(value.length <= MAX_URL_LENGTH && isWebAddress(value)))
    throw badRequest(`${name} is not a URL`)
}

function checkUsers(field: ProfileField, sent: string | readonly number[]): CheckedValue {
  const ids: unknown = typeof sent === 'string' ? parse(sent) : sent
  const areIds = Array.isArray(ids) && ids.every((id) => Number.isSafeInteger(id))
  if (!areIds || ids.length > MAX_USERS) throw badRequest(`${field.name} is not a list of user IDs`)
  const userIds = ids as number[]
  return { field, value: userIds.length === 0 ? null : JSON.stringify(userIds), userIds }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether the text is an existing day, as `YYYY-MM-DD`. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
