import { BlockList, isIP } from 'node:net'

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

/** Whether an IP address is this machine's or one of a network that the outside doesn't see. What is none is, too. */
export function isPrivateAddress(address: string): boolean {
  const [bare = ''] = address.split('%')
  const version = isIP(bare)
  return version === 0 || NOT_PUBLIC.check(bare, version === 6 ? 'ipv6' : 'ipv4')
}

/**
 * Whether a host leads to this machine or into its network, as far as it says so itself: a name may still lead there, so
 * whoever connects must look at the address as well. As URLs have it: IPv4 addresses are in their usual form whatever
 * was written, and IPv6 is in brackets.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  return isIP(host) === 0 ? LOCAL_NAME.test(host) : isPrivateAddress(host)
}
