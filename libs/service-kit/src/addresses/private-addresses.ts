import { BlockList, isIP } from 'node:net'

/** This machine and networks that aren't public. Ranges of IPv4 also cover IPv4-mapped IPv6 addresses. */
const NOT_PUBLIC = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  // Relays of 6to4 were here.
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv4')
for (const [network, prefix] of [
  ['::', 96],
  // Translated to any IPv4 address (NAT64, SIIT).
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['::ffff:0:0:0', 96],
  // These contain an IPv4 address that a relay connects to (Teredo, 6to4).
  ['2001::', 32],
  ['2002::', 16],
  // Nothing that is reached from elsewhere: discarded, and segments of routes.
  ['100::', 64],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 9],
  ['ff00::', 8],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv6')

/** Names that public DNS doesn't know: of this machine, or of the network around it. */
const LOCAL_NAME = /^[^.]+$|\.(?:localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/

/** Whether an IP address is this machine's or in a network that isn't public. An invalid address counts as private. */
export function isPrivateAddress(address: string): boolean {
  const [bare = ''] = address.split('%')
  const version = isIP(bare)
  return version === 0 || NOT_PUBLIC.check(bare, version === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Whether a host name or address is obviously this machine or in its network. Another name may still resolve to a
 * private address, so the connecting code must check the address as well. Takes hosts as URLs have them: IPv4
 * addresses in their usual form, IPv6 in brackets.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(host) === 0 ? LOCAL_NAME.test(host) : isPrivateAddress(host)
}
