import { BlockList, isIP } from 'node:net'
import { badRequest } from '@tms/contracts'

const MAX_LENGTH = 2_000

/** This machine and networks that the outside doesn't see; an IPv4 range holds as IPv6 writes its addresses, too. */
const NOT_PUBLIC = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 96],
  // Translated to IPv4, whichever it is.
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv6')

/** What no name server of the world knows: names of this machine, or of the network around it. */
const LOCAL_NAME = /^[^.]+$|\.(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/

/**
 * Where an outgoing webhook calls, in its usual form. Throws BAD_REQUEST, in words that name the parameter, for none,
 * for what is no http or https URL, and, unless `allowsPrivate`, for one that leads to this machine or into its network,
 * as far as the URL itself says so. A name may still lead there: whoever calls it must look at the address as well.
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
  if (!allowsPrivate && isPrivate(url.hostname))
    throw badRequest(`${parameter} must not lead to a local or private address: ${url.hostname}`)
  return url.href
}

/** Of a host as URLs have it: IPv4 addresses are in their usual form whatever was written, and IPv6 is in brackets. */
function isPrivate(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const version = isIP(host)
  if (version === 0) return LOCAL_NAME.test(host)
  return NOT_PUBLIC.check(host, version === 6 ? 'ipv6' : 'ipv4')
}
