import { badRequest, type ExternalAccount, externalAccounts, profileFieldTypes } from '@tms/contracts'
import { isWebAddress } from '@tms/service-kit'

type Sent = Readonly<Record<string, unknown>>

const USERNAME = '%(username)s'
/** More than any list of options needs; all fields are told whole at every change of the organization. */
const MAX_LENGTH = 50_000

/** What is to be known of a field beyond its type, as JSON text; empty for types without. Throws BAD_REQUEST. */
export function checkFieldData(type: number, sent: Sent): string {
  const text = JSON.stringify(checked(type, sent) ?? '')
  if (text.length > MAX_LENGTH) throw badRequest('There are too many options')
  return text === '""' ? '' : text
}

function checked(type: number, sent: Sent): object | null {
  if (type === profileFieldTypes.SELECT.id) return optionsOf(sent)
  if (type === profileFieldTypes.EXTERNAL_ACCOUNT.id) return accountOf(sent)
  return null
}

/** The account that is known by its subtype alone, if the data is of such a one. */
export function builtInAccountOf(type: number, { subtype }: Sent): ExternalAccount | null {
  const isBuiltIn = typeof subtype === 'string' && Object.hasOwn(externalAccounts, subtype)
  return type === profileFieldTypes.EXTERNAL_ACCOUNT.id && isBuiltIn ? (subtype as ExternalAccount) : null
}

function optionsOf(sent: Sent): object {
  const options = Object.entries(sent).map(([key, option]) => {
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

function accountOf(sent: Sent): object {
  const { subtype, url_pattern } = sent
  if (builtInAccountOf(profileFieldTypes.EXTERNAL_ACCOUNT.id, sent)) return { subtype }
  if (subtype !== 'custom') throw badRequest('Invalid external account type')
  if (typeof url_pattern !== 'string') throw badRequest('Custom external account must define URL pattern')
  if (url_pattern.split(USERNAME).length !== 2)
    throw badRequest(`URL pattern must contain '${USERNAME}' once`)
  if (!isWebAddress(url_pattern.replace(USERNAME, 'username'))) throw badRequest('url_pattern is not a URL')
  return { subtype, url_pattern }
}

const isBlank = (value: unknown): boolean => typeof value !== 'string' || value.trim() === ''

function asObject(value: unknown, name: string): Sent {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest(`${name} is not a dict`)
  return value as Sent
}
