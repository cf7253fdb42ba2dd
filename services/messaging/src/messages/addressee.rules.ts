import { AppError, badRequest, type EndpointInput, type endpoints, limits } from '@tms/contracts'

type SendInput = EndpointInput<typeof endpoints.messaging.sendMessage>
type To = NonNullable<SendInput['to']>

/** The channel that a client named. */
export type ChannelReference = { readonly id: number } | { readonly name: string }
/** The users that a client named, each once; never empty. */
export type UserReferences =
  | { readonly ids: readonly number[]; readonly emails?: never }
  | { readonly emails: readonly string[]; readonly ids?: never }

/** What the types that clients may send mean (API document, "Send a message"). */
export function isChannelType(type: SendInput['type']): boolean {
  return type === 'channel' || type === 'stream'
}

/** What someone is told who names no addressee, and has none by default. */
export function noAddressee(): AppError {
  return new AppError('REQUEST_VARIABLE_MISSING', {
    message: "Missing 'to' argument",
    details: { var_name: 'to' },
  })
}

/** Reads `to` of a channel message: an ID, a name, or a list of one of them. Throws BAD_REQUEST. */
export function parseChannelReference(to: To): ChannelReference {
  if (Array.isArray(to) && to.length !== 1) throw badRequest('Expected exactly one channel')
  const [only] = Array.isArray(to) ? to : [to]
  if (typeof only === 'number') return { id: only }
  if (only === undefined || only === '') throw badRequest('Missing channel')
  return { name: only }
}

/** What someone is told who writes to more people at once than one may. */
export function tooManyRecipients(): AppError {
  return badRequest(`Too many recipients (limit: ${limits.maxDirectMessageRecipients}).`)
}

/**
 * Reads `to` of a direct message: a list of IDs, or e-mails in a list or separated by commas. Throws BAD_REQUEST, and
 * REQUEST_VARIABLE_MISSING where there is none.
 */
export function parseUserReferences(to: To | undefined): UserReferences {
  if (to === undefined) throw noAddressee()
  if (typeof to === 'number') throw badRequest('Invalid data type for recipients')
  const given: readonly (string | number)[] = typeof to === 'string' ? to.split(',') : to
  const ids = given.filter((one) => typeof one === 'number')
  const emails = given.filter((one) => typeof one === 'string').map((email) => email.trim())
  if (ids.length > 0) return { ids: distinct(ids) }

  const named = distinct(emails).filter((email) => email !== '')
  if (named.length === 0) throw badRequest('Message must have recipients')
  return { emails: named }
}

/** Each once, and no more than need be looked up: the sender may be one of them. */
function distinct<Reference>(given: readonly Reference[]): Reference[] {
  const references = [...new Set(given)]
  if (references.length > limits.maxDirectMessageRecipients + 1) throw tooManyRecipients()
  return references
}
