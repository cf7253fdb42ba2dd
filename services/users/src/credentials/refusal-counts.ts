/** Refusals are counted for so long. */
const WINDOW_MS = 60_000
/** Of an organization's accounts, in a minute, at one replica: the first refusals of so many are noted, and as many later ones. */
const MAX_OF_ORGANIZATION = 60
/** Accounts and addresses of one organization that are counted apart in a minute: each takes memory. */
const MAX_KEYS = 1_000
const DAY_MS = 86_400_000
/** Of an organization's accounts in a day, at one replica: afterwards only its 1st, 10th, 100th … of a minute is noted. */
const MAX_OF_DAY = 2_000

/** How many refusals there were in the minute. */
interface Counts {
  readonly count: number
  readonly ofOrganization: number
}

/** What one organization has had in the minute. */
class Organization {
  /** Refusals that were about an account, and the others: who invents addresses must not hide an attack on accounts. */
  ofAccounts = 0
  ofUnknown = 0
  notedFirst = 0
  notedLater = 0
  readonly byKey = new Map<string, number>()
}

/** Counts refused sign-ins, so that a flood of them is no flood of entries. */
export class RefusalCounts {
  #organizations = new Map<number, Organization>()
  #until = 0
  #notedOfDay = new Map<number, number>()
  #dayUntil = 0

  /**
   * Counts one, of an organization's account (null for none) and an address. Returns the counts if it is to be noted: the 1st, 10th,
   * 100th … of the organization, and those of each account and address as far as they are bounded.
   */
  add(realmId: number, userId: number | null, address: string, now: Date): Counts | null {
    this.#begin(now.getTime())
    let organization = this.#organizations.get(realmId)
    if (!organization) this.#organizations.set(realmId, (organization = new Organization()))
    const isLate = (this.#notedOfDay.get(realmId) ?? 0) >= MAX_OF_DAY
    const noted =
      userId === null
        ? countUnknown(organization)
        : countOfAccount(organization, `${userId} ${address}`, isLate)
    // People without an account can add as many as they like, and mustn't use up what accounts have.
    if (noted && userId !== null) this.#notedOfDay.set(realmId, (this.#notedOfDay.get(realmId) ?? 0) + 1)
    return noted
  }

  #begin(now: number): void {
    if (now >= this.#until) {
      this.#organizations = new Map()
      this.#until = now + WINDOW_MS
    }
    if (now < this.#dayUntil) return
    this.#notedOfDay = new Map()
    this.#dayUntil = now + DAY_MS
  }
}

function countUnknown(organization: Organization): Counts | null {
  const count = ++organization.ofUnknown
  return isPowerOfTen(count) ? { count, ofOrganization: count } : null
}

function countOfAccount(organization: Organization, key: string, isLate: boolean): Counts | null {
  const ofOrganization = ++organization.ofAccounts
  const { byKey } = organization
  const before = byKey.get(key)
  const count = (before ?? 0) + 1
  if (before !== undefined || byKey.size < MAX_KEYS) byKey.set(key, count)
  const counts = { count, ofOrganization }
  if (isPowerOfTen(ofOrganization)) return counts
  if (isLate || !isPowerOfTen(count)) return null
  const noted = count === 1 ? ++organization.notedFirst : ++organization.notedLater
  return noted > MAX_OF_ORGANIZATION ? null : counts
}

const isPowerOfTen = (count: number): boolean => /^10*$/.test(String(count))
