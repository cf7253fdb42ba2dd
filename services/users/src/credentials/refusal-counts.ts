/** Refusals are counted for so long. */
const WINDOW_MS = 60_000
/** Of an organization, in a minute, at one replica: more are noted at 100, 1,000 and so on. */
const MAX_OF_ORGANIZATION = 60
/** Keys in memory; an organization under attack fills no more. */
const MAX_KEYS = 10_000

/** How many refusals there were in the minute. */
interface Counts {
  readonly count: number
  readonly ofOrganization: number
}

/** Counts refused sign-ins, so that a flood of them is no flood of entries. */
export class RefusalCounts {
  #counts = new Map<string, number>()
  #until = 0

  /**
   * Counts one, of an organization's account (null for none) and an address. Returns the counts if it is to be noted: the 1st, 10th,
   * 100th … of both, and of the organization the first ones.
   */
  add(realmId: number, userId: number | null, address: string, now: Date): Counts | null {
    if (now.getTime() >= this.#until) {
      this.#counts = new Map()
      this.#until = now.getTime() + WINDOW_MS
    }
    const ofOrganization = this.#increase(`${realmId}`)
    // No new key is made any more for what isn't noted.
    if (ofOrganization > MAX_OF_ORGANIZATION && !isPowerOfTen(ofOrganization)) return null
    if (this.#counts.size > MAX_KEYS) return null
    const count = this.#increase(`${realmId} ${userId} ${address}`)
    return isPowerOfTen(count) || isPowerOfTen(ofOrganization) ? { count, ofOrganization } : null
  }

  #increase(key: string): number {
    const count = (this.#counts.get(key) ?? 0) + 1
    this.#counts.set(key, count)
    return count
  }
}

const isPowerOfTen = (count: number): boolean => /^10*$/.test(String(count))
