import { createConcurrencyLimit, type Pool, readWithSnapshot, type Tx } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import { readUserListSnapshot, type UserListSnapshot } from './read-user-list-snapshot.ts'
import { findChunkJson, type SharedView } from './user-list-chunk.ts'

/** Over all organizations; one of 50,000 users has 18 MB per distinct view. */
const MAX_BYTES = 256 * 1024 ** 2
/** Memory per user besides the rendered records. */
const BYTES_OF_ENTRY = 100
/** Bytes of a rendered record and the same deflated, which takes 4 % for generated names and 15 % for random ones. */
const WITH_DEFLATED = 1.15
/** Missing chunks that a request renders itself: some milliseconds. */
const MAX_MISSING_CHUNKS = 8
/** Organizations that are loaded at once. */
const MAX_READ_AT_ONCE = 2
const MAX_WAITING = 1_000

/**
 * User lists of register, rendered once for all readers with the same view. A cached snapshot is updated to a
 * transaction's snapshot by reading what changed since: the result is exact, at the cost of the changes.
 */
export interface UserListCache {
  /**
   * The snapshot from which `read` starts. Call it before the transaction begins. Loads the organization if it isn't
   * cached.
   */
  prepare(realmId: number, view: SharedView): Promise<UserListSnapshot>
  /** The users that the transaction sees, with records rendered for the view. */
  read(tx: Tx, realmId: number, prepared: UserListSnapshot, view: SharedView): Promise<UserListSnapshot>
}

export function createUserListCache(db: Pool): UserListCache {
  const snapshots = new LRUCache<number, UserListSnapshot>({ maxSize: MAX_BYTES, sizeCalculation: bytesOf })
  const pendingReads = new Map<string, Promise<UserListSnapshot>>()
  const limitReads = createConcurrencyLimit({
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
    const snapshot = await readUserListSnapshot(tx, realmId, known, view)
    const cached = snapshots.get(realmId)
    // An older snapshot is correct too, but later readers would have more to read.
    if (!cached || cached.server !== snapshot.server || cached.xmin <= snapshot.xmin)
      snapshots.set(realmId, snapshot)
    return snapshot
  }

  const readSnapshot = async (realmId: number, view: SharedView): Promise<UserListSnapshot> => {
    const known = snapshots.get(realmId) ?? null
    const { result } = await readWithSnapshot(db, (tx) => read(tx, realmId, known, view))
    return result
  }

  return {
    prepare: async (realmId, view) => {
      const known = snapshots.get(realmId)
      if (known && isNearlyComplete(known, view)) return known
      const key = `${realmId} ${view.role} ${view.clientGravatar} ${view.profileFields.key}`
      const pending = pendingReads.get(key)
      if (pending) return pending
      const reading = limitReads(() => readSnapshot(realmId, view)).finally(() => pendingReads.delete(key))
      pendingReads.set(key, reading)
      return reading
    },
    read,
  }
}

function isNearlyComplete({ chunks, fieldsKey }: UserListSnapshot, view: SharedView): boolean {
  if (fieldsKey !== view.profileFields.key) return false
  let missing = 0
  for (const chunk of chunks) {
    if (findChunkJson(chunk, view) === null && ++missing > MAX_MISSING_CHUNKS) return false
  }
  return chunks.length > 0
}

function bytesOf({ chunks }: UserListSnapshot): number {
  let bytes = 1
  for (const { entries, jsonByView } of chunks) {
    bytes += entries.length * BYTES_OF_ENTRY
    for (const json of jsonByView.values())
      bytes += Math.ceil(json.bytes.length * WITH_DEFLATED) + json.offsets.byteLength
  }
  return bytes
}
