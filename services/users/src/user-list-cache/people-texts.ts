import { createConcurrencyLimit, type Pool, readWithSnapshot, type Tx } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { findText, type SharedView } from './chunk.ts'
import { readUserListSnapshot, type UserListSnapshot } from './read-edition.ts'

/** Of all organizations together; one of 50,000 people has 18 MB for each way in which people look at it. */
const MAX_BYTES = 256 * 1024 ** 2
/** What is remembered of a person beside the texts. */
const BYTES_OF_ENTRY = 100
/** Chunks that a request makes by itself: some milliseconds. */
const FEW = 8
/** Organizations that are read at once for want of texts. */
const MAX_READ_AT_ONCE = 2
const MAX_WAITING = 1_000

/**
 * People as register tells them, written once for everyone who sees them alike. They are texts of some time, and become
 * those of a transaction by reading what changed since: exactly what it sees, at the cost of the changes.
 */
export interface UserListCache {
  /** What `read` starts from; call it before the transaction begins. Reads an organization that isn't known yet. */
  prepare(realmId: number, view: SharedView): Promise<UserListSnapshot>
  /** The people that the transaction sees, with texts for the view. */
  read(tx: Tx, realmId: number, prepared: UserListSnapshot, view: SharedView): Promise<UserListSnapshot>
}

export function createUserListCache(db: Pool): UserListCache {
  const editions = new LRUCache<number, UserListSnapshot>({ maxSize: MAX_BYTES, sizeCalculation: bytesOf })
  const firsts = new Map<string, Promise<UserListSnapshot>>()
  const inTurn = createConcurrencyLimit({
    maxAtOnce: MAX_READ_AT_ONCE,
    maxWaiting: MAX_WAITING,
    refusal: 'Too many are registering at once; try again shortly',
  })

  const read = async (
    tx: Tx,
    realmId: number,
    known: UserListSnapshot | null,
    view: SharedView,
  ): Promise<UserListSnapshot> => {
    const edition = await readUserListSnapshot(tx, realmId, known, view)
    const kept = editions.get(realmId)
    // An older one is right too, but later readers would have more to read.
    if (!kept || kept.server !== edition.server || kept.xmin <= edition.xmin) editions.set(realmId, edition)
    return edition
  }

  const readFirst = async (realmId: number, view: SharedView): Promise<UserListSnapshot> => {
    const known = editions.get(realmId) ?? null
    const { result } = await readWithSnapshot(db, (tx) => read(tx, realmId, known, view))
    return result
  }

  return {
    prepare: async (realmId, view) => {
      const known = editions.get(realmId)
      if (known && isNearlyReady(known, view)) return known
      const key = `${realmId} ${view.role} ${view.clientGravatar} ${view.profileFields.key}`
      const underWay = firsts.get(key)
      if (underWay) return underWay
      const first = inTurn(() => readFirst(realmId, view)).finally(() => firsts.delete(key))
      firsts.set(key, first)
      return first
    },
    read,
  }
}

function isNearlyReady({ chunks, fieldsKey }: UserListSnapshot, view: SharedView): boolean {
  if (fieldsKey !== view.profileFields.key) return false
  let missing = 0
  for (const chunk of chunks) {
    if (findText(chunk, view) === null && ++missing > FEW) return false
  }
  return chunks.length > 0
}

function bytesOf({ chunks }: UserListSnapshot): number {
  let bytes = 1
  for (const { entries, texts } of chunks) {
    bytes += entries.length * BYTES_OF_ENTRY
    for (const text of texts.values()) bytes += text.bytes.length + text.offsets.byteLength
  }
  return bytes
}
