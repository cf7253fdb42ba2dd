import { BlockList, isIP, isIPv6 } from 'node:net'

/** Addresses and networks. */
export interface AddressList {
  has(address: string): boolean
}

/** Addresses and networks, separated by commas. Throws when something among them is neither. */
export function addressList(text: string): AddressList {
  const list = new BlockList()
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [address = '', bits, ...more] = entry.split('/')
    const version = isIP(address)
    const length = bits === undefined ? (version === 6 ? 128 : 32) : Number(bits)
    if (version === 0 || more.length > 0 || bits === '' || !Number.isInteger(length))
      throw new Error(`${entry} is not an address, nor a network such as 10.0.0.0/8`)
    list.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4')
  }
  return {
    has: (address) => {
      const version = isIP(address)
      return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
    },
  }
}

/** Whether a text is such a list. */
export function isAddressList(text: string): boolean {
  try {
    addressList(text)
    return true
  } catch {
    return false
  }
}

/**
 * What is counted as one client: an IPv4 address, or the network that a provider gives to one customer (64 bits of an
 * IPv6 address), who would otherwise have as many addresses as they like.
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%', 1)[0]?.split('::') ?? []
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  // The last two groups of some are written as an IPv4 address.
  const groupsAfter = after.length + (after.at(-1)?.includes('.') ? 1 : 0)
  const zeros = tail === undefined ? 0 : 8 - before.length - groupsAfter
  const groups = [...before, ...Array<string>(zeros).fill('0'), ...after]
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16))
  return `${network.join(':')}::/64`
}

/** An IPv4 address as such, where a socket of IPv6 has it. */
export function plainAddress(address = ''): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}
