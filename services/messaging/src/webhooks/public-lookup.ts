import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isPrivateAddress } from '@tms/service-kit'

/** A name that leads to this machine or into its network. */
export class PrivateAddress extends Error {}

interface Address {
  readonly address: string
  readonly family: 4 | 6
}

type Resolve = (hostname: string) => Promise<Address[]>

/**
 * Finds addresses as connecting does, and refuses, with `PrivateAddress`, a name that has any that the outside doesn't see.
 * Asks name servers itself: the operating system's lookup takes a thread of the few that everything shares, and a name
 * server of somebody's own could hold them all.
 */
export const publicLookup: LookupFunction = createPublicLookup(resolve)

/** The same with another source of addresses. */
export function createPublicLookup(find: Resolve): LookupFunction {
  return (hostname, { all, family }, callback) => {
    const answer = async (): Promise<void> => {
      let found: Address[]
      try {
        found = await find(hostname)
        if (found.some(({ address }) => isPrivateAddress(address))) throw new PrivateAddress(hostname)
        const wanted = found.filter(
          (each) => !family || each.family === family || family === `IPv${each.family}`,
        )
        if (wanted.length > 0) found = wanted
      } catch (err) {
        callback(err as NodeJS.ErrnoException, [])
        return
      }
      const [first] = found
      if (all || first === undefined) callback(null, found)
      else callback(null, first.address, first.family)
    }
    void answer()
  }
}

/** A server that doesn't answer is asked twice; the call's own deadline comes first. */
const resolver = new Resolver({ timeout: 3_000, tries: 2 })

async function resolve(hostname: string): Promise<Address[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = [...addressesIn(four, 4), ...addressesIn(six, 6)]
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}

const addressesIn = (answer: PromiseSettledResult<string[]>, family: Address['family']): Address[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
