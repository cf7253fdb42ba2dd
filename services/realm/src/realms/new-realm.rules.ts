import { badRequest, realmLimits } from '@tms/contracts'

/** A label of a host name, or empty for the default organization. */
const STRING_ID = /^([a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?)?$/

/** Validates a new organization's input and returns it as it is stored. Throws BAD_REQUEST. */
export function checkNewRealm(requested: { string_id: string; name: string; url: string }): {
  stringId: string
  name: string
  url: string
} {
  const stringId = requested.string_id.toLowerCase()
  if (!STRING_ID.test(stringId))
    throw badRequest('A subdomain has at most 40 letters, digits and hyphens, no hyphen at either end')
  const name = checkRealmName(requested.name)
  if (!/^https?:$/.test(protocolOf(requested.url)))
    throw badRequest('The URL of an organization starts with http:// or https://')
  return { stringId, name, url: requested.url.replace(/\/+$/, '') }
}

/** Validates a name of an organization and returns it as it is stored. Throws BAD_REQUEST. */
export function checkRealmName(requested: string): string {
  const name = requested.trim()
  if (name === '' || [...name].length > realmLimits.maxNameLength || name.includes('\0'))
    throw badRequest(`The name of an organization has 1 to ${realmLimits.maxNameLength} characters`)
  return name
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}
