import { AppError, badRequest, type EndpointInput, type endpoints, limits } from '@tms/contracts'

type SendInput = EndpointInput<typeof endpoints.messaging.sendMessage>
type To = NonNullable<SendInput['to']>

/** The channel that a client named. */
export type ChannelReference = { readonly id: number } | { readonly name: string }
/** The users that a client named, each once; never empty. */
export type UserReferences =
  | { readonly ids: readonly number[]; readonly emails?: never }
  | { readonly emails: readonly string[]; readonly ids?: never }

/** Whether a message type means a channel message (API document, "Send a message"). */
export function isChannelType(type: SendInput['type']): boolean {
  return type === 'channel' || type === 'stream'
}

/** The error for a message without a recipient, if there is no default. */
export function missingRecipientError(): AppError {
  return new AppError('REQUEST_VARIABLE_MISSING', {
    message: "Missing 'to' argument",
    details: { var_name: 'to' },
  })
}

/** Parses `to` of a channel message: an ID, a name, or a list of one of them. Throws BAD_REQUEST. */
export function parseChannelReference(to: To): ChannelReference {
  if (Array.isArray(to) && to.length !== 1) throw badRequest('Expected exactly one channel')
  const [only] = Array.isArray(to) ? to : [to]
  if (typeof only === 'number') return { id: only }
  if (only === undefined || only === '') throw badRequest('Missing channel')
  return { name: only }
}

/** The error for too many recipients of a direct message. */
export function tooManyRecipientsError(): AppError {
  return badRequest(`Too many recipients (limit: ${limits.maxDirectMessageRecipients}).`)
}

/**
 * Parses `to` of a direct message: a list of IDs, or e-mails in a list or separated by commas. Throws BAD_REQUEST,
 * and REQUEST_VARIABLE_MISSING if it is missing.
 */
export function parseUserReferences(to: To | undefined): UserReferences {
  if (to === undefined) throw missingRecipientError()
  if (typeof to === 'number') throw badRequest('Invalid data type for recipients')
  const entries: readonly (string | number)[] = typeof to === 'string' ? to.split(',') : to
  const ids = entries.filter((one) => typeof one === 'number')
  const emails = entries.filter((one) => typeof one === 'string').map((email) => email.trim())
  if (ids.length > 0) return { ids: distinct(ids) }

  const addresses = distinct(emails).filter((email) => email !== '')
  if (addresses.length === 0) throw badRequest('Message must have recipients')
  return { emails: addresses }
}

/** Removes duplicates, and limits how many have to be looked up. The sender may be one of them. */
function distinct<Reference>(all: readonly Reference[]): Reference[] {
  const references = [...new Set(all)]
  if (references.length > limits.maxDirectMessageRecipients + 1) throw tooManyRecipientsError()
  return references
}
