import { badRequest, type ExternalAccount, externalAccounts, profileFieldTypes } from '@tms/contracts'
import { isWebAddress } from '@tms/service-kit'

type FieldData = Readonly<Record<string, unknown>>

const USERNAME = '%(username)s'
/** More than any list of options needs; every change of the organization publishes all fields. */
const MAX_LENGTH = 50_000

/** The type-specific data of a field, as JSON text; empty for types without. Throws BAD_REQUEST. */
export function checkFieldData(type: number, input: FieldData): string {
  const text = JSON.stringify(checked(type, input) ?? '')
  if (text.length > MAX_LENGTH) throw badRequest('There are too many options')
  return text === '""' ? '' : text
}

function checked(type: number, input: FieldData): object | null {
  if (type === profileFieldTypes.SELECT.id) return optionsOf(input)
  if (type === profileFieldTypes.EXTERNAL_ACCOUNT.id) return accountOf(input)
  return null
}

/** The built-in external account of the subtype, if the data is of one. */
export function builtInAccountOf(type: number, { subtype }: FieldData): ExternalAccount | null {
  const isBuiltIn = typeof subtype === 'string' && Object.hasOwn(externalAccounts, subtype)
  return type === profileFieldTypes.EXTERNAL_ACCOUNT.id && isBuiltIn ? (subtype as ExternalAccount) : null
}

function optionsOf(input: FieldData): object {
  const options = Object.entries(input).map(([key, option]) => {
    const { text, order, ...others } = asObject(option, `field_data["${key}"]`)
    if (key.trim() === '') throw badRequest("'value' cannot be blank")
    if (isBlank(text) || isBlank(order)) throw badRequest('Each option has a "text" and an "order", as text')
    if (Object.keys(others).length > 0)
      throw badRequest(`Unexpected arguments: ${Object.keys(others).join(', ')}`)
    return [key, { text, order }] as const
  })
  if (options.length === 0) throw badRequest('Field must have at least one choice.')
  const texts = new Set(options.map(([, { text }]) => text))
  if (texts.size < options.length) throw badRequest('Field must not have duplicate choices.')
  return Object.fromEntries(options)
}

function accountOf(input: FieldData): object {
  const { subtype, url_pattern } = input
  if (builtInAccountOf(profileFieldTypes.EXTERNAL_ACCOUNT.id, input)) return { subtype }
  if (subtype !== 'custom') throw badRequest('Invalid external account type')
  if (typeof url_pattern !== 'string') throw badRequest('Custom external account must define URL pattern')
  if (url_pattern.split(USERNAME).length !== 2)
    throw badRequest(`URL pattern must contain '${USERNAME}' once`)
  if (!isWebAddress(url_pattern.replace(USERNAME, 'username'))) throw badRequest('url_pattern is not a URL')
  return { subtype, url_pattern }
}

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

function asObject(value: unknown, name: string): FieldData {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest(`${name} is not a dict`)
  return value as FieldData
}
