import { Resolver } from 'node:dns/promises'
import type { LookupFunction } from 'node:net'
import { isPrivateAddress } from './private-addresses.ts'

/** A host name that resolves to this machine or its network. */
export class PrivateAddressError extends Error {}

interface Address {
  readonly address: string
  readonly family: 4 | 6
}

type Resolve = (hostname: string) => Promise<Address[]>

/**
 * Resolves a name as a connection does, and rejects it with `PrivateAddressError` if any of its addresses is not
 * public. Queries name servers itself: the operating system's lookup occupies one of the few threads that everything
 * shares, and a hostile name server could block them all.
 */
export const publicLookup: LookupFunction = createPublicLookup(resolve)

/** The same with another resolver. */
export function createPublicLookup(find: Resolve): LookupFunction {
  return (hostname, { all, family }, callback) => {
    const answer = async (): Promise<void> => {
      let found: Address[]
      try {
        found = await find(hostname)
        if (found.some(({ address }) => isPrivateAddress(address))) throw new PrivateAddressError(hostname)
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

/** An unresponsive name server is queried twice; the deadline of the call comes first. */
const resolver = new Resolver({ timeout: 3_000, tries: 2 })

async function resolve(hostname: string): Promise<Address[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  const found = [...addressesIn(four, 4), ...addressesIn(six, 6)]
  if (found.length === 0 && four.status === 'rejected') throw four.reason
  return found
}

const addressesIn = (answer: PromiseSettledResult<string[]>, family: Address['family']): Address[] =>
  answer.status === 'fulfilled' ? answer.value.map((address) => ({ address, family })) : []
