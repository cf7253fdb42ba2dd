import { badRequest } from '@tms/contracts'
import { isPrivateHost } from '@tms/service-kit'

const MAX_LENGTH = 2_000

/**
 * Validates and normalizes the URL of an outgoing webhook. Throws BAD_REQUEST, naming the parameter, if it is missing
 * or no http(s) URL, or if it names a local or private host and `allowsPrivate` is false. Messaging, which calls it,
 * also checks the resolved address.
 */
export function checkPayloadUrl(
  parameter: string,
  text: string | undefined,
  { allowsPrivate }: { allowsPrivate: boolean },
): string {
  if (text === undefined || text.trim() === '')
    throw badRequest(`${parameter} is missing: an outgoing webhook needs a URL to call`)
  if (text.length > MAX_LENGTH) throw badRequest(`${parameter} must have at most ${MAX_LENGTH} characters`)
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw badRequest(`${parameter} must be an http or https URL`)
  if (!allowsPrivate && isPrivateHost(url.hostname))
    throw badRequest(`${parameter} must not lead to a local or private address: ${url.hostname}`)
  return url.href
}
