import { badRequest } from '@tms/contracts'
import { isPrivateHost } from '@tms/service-kit'

const MAX_LENGTH = 2_000

/**
 * Where an outgoing webhook calls, in its usual form. Throws BAD_REQUEST, in words that name the parameter, for none,
 * for what is no http or https URL, and, unless `allowsPrivate`, for one that leads to this machine or into its network,
 * as far as the URL itself says so. Messaging, which calls it, looks at the address as well.
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
