import { isIPv6 } from 'node:net'

/**
 * What counts as one client: an IPv4 address, or the network that a provider gives to one customer (64 bits of an
 * IPv6 address), who could otherwise use any number of addresses.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%', 1)[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  // The last two groups may be written as an IPv4 address.
  const groupsAfter = after.length + (after.at(-1)?.includes('.') ? 1 : 0)
  const zeros = tail === undefined ? 0 : 8 - before.length - groupsAfter
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** An IPv4 address as such, if an IPv6 socket reports it. */
export function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
