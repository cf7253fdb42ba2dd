import { setImmediate as nextTurn } from 'node:timers/promises'
import { Batched } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'
import type { AlertWordChanges } from './alert-word.queries.ts'
import { WatchedWords } from './watched-words.rules.ts'

/** For how long, in milliseconds, the event loop may be held at a time. */
const SLICE_MS = 5

interface Kept {
  readonly words: WatchedWords
  /** Where to go on asking. */
  cursor: string
  /** Of the last drop that what was read is newer than. */
  readonly generation: number
}

/** The words that people watch for, by organization. */
export interface WatchedWordsCache {
  get(realmId: number): Promise<WatchedWords>
  /** Has the changes of an organization read before its words are given again. */
  drop(realmId: number): void
  dropAll(): void
}

/**
 * Keeps the words that people watch for. After a drop, or while what is in memory isn't current, it reads what has changed, and
 * takes over no more than that, in slices, so that requests are answered meanwhile. `read` gives the changes since a cursor, or
 * everything without one.
 */
export function keepWatchedWords({
  read,
  isCurrent,
  maxRealms,
}: {
  readonly read: (realmId: number, since: string | null) => Promise<AlertWordChanges>
  /** Whether drops are known to come. */
  readonly isCurrent: () => boolean
  readonly maxRealms: number
}): WatchedWordsCache {
  const realms = new LRUCache<number, Kept>({ max: maxRealms })
  const asking = new LRUCache<number, Batched<WatchedWords>>({ max: maxRealms })
  let generation = 0
  /** A number for each organization whose words were ever dropped. */
  const droppedIn = new Map<number, number>()
  let allDroppedIn = 0
  const lastDrop = (realmId: number): number => Math.max(allDroppedIn, droppedIn.get(realmId) ?? 0)

  const ask = async (realmId: number): Promise<WatchedWords> => {
    const kept = realms.get(realmId)
    const readIn = generation
    const { cursor, changes } = await read(realmId, kept?.cursor ?? null)
    if (kept && BigInt(cursor) < BigInt(kept.cursor)) {
      // The database was put back to an earlier state: what was read of a later one may never have been.
      realms.delete(realmId)
      return ask(realmId)
    }
    const words = kept?.words ?? new WatchedWords()
    await takeOver(words, changes)
    realms.set(realmId, { words, cursor, generation: readIn })
    return words
  }

  /** One after the other: two answers taken over in the wrong order would leave the older. */
  const readerOf = (realmId: number): Batched<WatchedWords> => {
    const reader = asking.get(realmId) ?? new Batched(() => ask(realmId))
    asking.set(realmId, reader)
    return reader
  }

  return {
    get: async (realmId) => {
      const kept = realms.get(realmId)
      if (kept && isCurrent() && kept.generation >= lastDrop(realmId)) return kept.words
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

async function takeOver(words: WatchedWords, changes: AlertWordChanges['changes']): Promise<void> {
  let begun = performance.now()
  for (const { userId, words: theirs } of changes) {
    words.set(userId, theirs)
    if (performance.now() - begun < SLICE_MS) continue
    await nextTurn()
    begun = performance.now()
  }
}
