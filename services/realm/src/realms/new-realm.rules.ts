import { badRequest, realmLimits } from '@tms/contracts'

/** A label of a host name, or nothing for the default organization. */
const STRING_ID = /^([a-z0-9]([a-z0-9-]{0,38}[a-z0-9])?)?$/

/** What a new organization may be called, ready to be stored. Throws BAD_REQUEST. */
export function checkNewRealm(asked: { string_id: string; name: string; url: string }): {
  stringId: string
  name: string
  url: string
} {
  const stringId = asked.string_id.toLowerCase()
  if (!STRING_ID.test(stringId))
    throw badRequest('A subdomain has at most 40 letters, digits and hyphens, no hyphen at either end')
  const name = checkRealmName(asked.name)
  if (!/^https?:$/.test(protocolOf(asked.url)))
    throw badRequest('The URL of an organization starts with http:// or https://')
  return { stringId, name, url: asked.url.replace(/\/+$/, '') }
}

/** A name of an organization, ready to be stored. Throws BAD_REQUEST. */
export function checkRealmName(asked: string): string {
  const name = asked.trim()
  if (name === '' || [...name].length > realmLimits.maxNameLength || name.includes('\0'))
    throw badRequest(`The name of an organization has 1 to ${realmLimits.maxNameLength} characters`)
  return name
}

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : ''
}
