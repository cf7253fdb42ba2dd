import { BlockList, isIP } from 'node:net'

/** Addresses and networks. */
export interface AddressList {
  has(address: string): boolean
}

/** Parses addresses and networks, separated by commas. Throws if an entry is neither. */
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
