import { Batched, type Pool } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import {
  MAX_CHANGED,
  type PresenceAccount,
  type PresenceAccountsRead,
  readPresenceAccounts,
} from './presence-accounts.queries.ts'

/** Over all organizations: some 200 bytes each. */
const MAX_ACCOUNTS = 500_000
/** Organizations whose calls are joined. If one is forgotten while it reads, its next call reads beside that, which is correct too. */
const MAX_JOINED = 1_000

/** Accounts by ID; null for one that doesn't exist. Missing ones weren't read yet. Never changed, so it can be compared by identity. */
export type AccountsById = ReadonlyMap<number, PresenceAccount | null>

interface KnownAccounts {
  readonly server: string
  /** All transactions below this one had ended when these were read, so they have what those did. */
  readonly xmin: number
  readonly accounts: AccountsById
}

/** The accounts that presence needs, as PostgreSQL has them at each call or later: only those that have changed are read again. */
export interface PresenceAccounts {
  /** The accounts of an organization with at least these IDs. */
  read(realmId: number, ids: readonly number[]): Promise<AccountsById>
}

/**
 * Works as the list of users of register does (decision 21), with a snapshot of its own. Calls that come while others are answered
 * share the next snapshot: its statement costs more than the rest of a ping.
 */
export function createPresenceAccounts(db: Pool): PresenceAccounts {
  const cached = new LRUCache<number, KnownAccounts>({
    maxSize: MAX_ACCOUNTS,
    sizeCalculation: ({ accounts }) => accounts.size + 1,
  })
  const readers = new LRUCache<number, (ids: readonly number[]) => Promise<AccountsById>>({ max: MAX_JOINED })

  // Known accounts are taken before the query takes its snapshot: later ones may have changes that it doesn't see.
  const readSince = async (
    realmId: number,
    asked: readonly (readonly number[])[],
    known: KnownAccounts | null,
  ): Promise<AccountsById> => {
    const missing = [...new Set(asked.flatMap((ids) => ids.filter((id) => !known?.accounts.has(id))))]
    const read = await readPresenceAccounts(db, realmId, { since: known?.xmin ?? null, ids: missing })
    if (known && (read.server !== known.server || read.changed.length > MAX_CHANGED))
      return readSince(realmId, asked, null)
    const accounts = advance(known?.accounts ?? new Map(), missing, read)
    const { server, xmin } = read
    const current = cached.get(realmId)
    // Older ones are correct too, but later calls would have more to read.
    if (!current || current.server !== server || current.xmin <= xmin)
      cached.set(realmId, { server, xmin, accounts })
    return accounts
  }

  const createReader = (realmId: number) => {
    let asked: (readonly number[])[] = []
    const reading = new Batched(() => {
      const all = asked
      asked = []
      return readSince(realmId, all, cached.get(realmId) ?? null)
    })
    return (ids: readonly number[]) => {
      asked.push(ids)
      return reading.run()
    }
  }
  return {
    read: (realmId, ids) => {
      const reader = readers.get(realmId) ?? createReader(realmId)
      readers.set(realmId, reader)
      return reader(ids)
    },
  }
}

function advance(
  known: AccountsById,
  missing: readonly number[],
  { changed, found }: PresenceAccountsRead,
): AccountsById {
  const different = changed.filter((account) => {
    const before = known.get(account.id)
    return before !== undefined && !isSame(before, account)
  })
  if (missing.length + different.length === 0) return known
  const accounts = new Map(known)
  for (const id of missing) accounts.set(id, null)
  for (const account of [...found, ...different]) accounts.set(account.id, account)
  return accounts
}

const isSame = (one: PresenceAccount | null, other: PresenceAccount): boolean =>
  one !== null &&
  one.email === other.email &&
  one.joinedAt === other.joinedAt &&
  one.isPresent === other.isPresent &&
  one.showsPresence === other.showsPresence
