import { setImmediate as nextTurn } from 'node:timers/promises'
import { Batched } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import type { AlertWordChanges } from './alert-word.queries.ts'
import { WatchedWords } from './watched-words.rules.ts'

/** Milliseconds for which the event loop may be blocked at a time. */
const SLICE_MS = 5

interface CachedWords {
  readonly words: WatchedWords
  /** Cursor for the next read. */
  cursor: string
  /** Number of the last drop before these words were read. */
  readonly generation: number
}

/** Alert words of all users, by organization. */
export interface WatchedWordsCache {
  get(realmId: number): Promise<WatchedWords>
  /** Makes the next `get` read the changes of an organization. */
  drop(realmId: number): void
  dropAll(): void
}

/**
 * Caches alert words. After a drop, or while the cache isn't current, it reads what has changed and applies only that,
 * in slices, so that other requests are answered meanwhile. `read` returns the changes since a cursor, or everything
 * without one.
 */
export function createWatchedWordsCache({
  read,
  isCurrent,
  maxRealms,
}: {
  readonly read: (realmId: number, since: string | null) => Promise<AlertWordChanges>
  /** Whether every drop is known to arrive. */
  readonly isCurrent: () => boolean
  readonly maxRealms: number
}): WatchedWordsCache {
  const realms = new LRUCache<number, CachedWords>({ max: maxRealms })
  const readers = new LRUCache<number, Batched<WatchedWords>>({ max: maxRealms })
  let generation = 0
  /** Number of the last drop, for each organization that had one. */
  const droppedIn = new Map<number, number>()
  let allDroppedIn = 0
  const lastDrop = (realmId: number): number => Math.max(allDroppedIn, droppedIn.get(realmId) ?? 0)

  const readChanges = async (realmId: number): Promise<WatchedWords> => {
    const cachedWords = realms.get(realmId)
    const readIn = generation
    const { cursor, changes } = await read(realmId, cachedWords?.cursor ?? null)
    if (cachedWords && BigInt(cursor) < BigInt(cachedWords.cursor)) {
      // The database was restored to an earlier state: words that were read later may never have existed.
      realms.delete(realmId)
      return readChanges(realmId)
    }
    const words = cachedWords?.words ?? new WatchedWords()
    await applyWordChanges(words, changes)
    realms.set(realmId, { words, cursor, generation: readIn })
    return words
  }

  /** One read at a time: two results applied in the wrong order would leave the older one. */
  const readerOf = (realmId: number): Batched<WatchedWords> => {
    const reader = readers.get(realmId) ?? new Batched(() => readChanges(realmId))
    readers.set(realmId, reader)
    return reader
  }

  return {
    get: async (realmId) => {
      const cachedWords = realms.get(realmId)
      if (cachedWords && isCurrent() && cachedWords.generation >= lastDrop(realmId)) return cachedWords.words
      return readerOf(realmId).run()
    },
    drop: (realmId) => {
      droppedIn.set(realmId, ++generation)
    },
    dropAll: () => {
      allDroppedIn = ++generation
    },
  }
}

async function applyWordChanges(words: WatchedWords, changes: AlertWordChanges['changes']): Promise<void> {
  let sliceStart = performance.now()
  for (const { userId, words: theirs } of changes) {
    words.set(userId, theirs)
    if (performance.now() - sliceStart < SLICE_MS) continue
    await nextTurn()
    sliceStart = performance.now()
  }
}
