import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { AlertWordChanges } from './alert-word.queries.ts'
import { WatchedWords } from './watched-words.rules.ts'

/** For how long, in milliseconds, the event loop may be held at a time. */
const SLICE_MS = 5

interface Kept {
  readonly words: WatchedWords
  /** Where to go on asking. */
  cursor: string
  /** UNIX milliseconds. */
  askedAt: number
}

/** Gives an organization's words, no older than it says when it is made. */
export type GetWatchedWords = (realmId: number) => Promise<WatchedWords>

/**
 * Keeps the words that people watch for. Asks at most once in `maxAgeMs` what has changed, however many need it, and
 * takes over no more than that, in slices, so that requests are answered meanwhile. `read` gives the changes since a
 * cursor, or everything without one.
 */
export function keepWatchedWords({
  read,
  maxAgeMs,
  maxRealms,
  now = Date.now,
}: {
  readonly read: (realmId: number, since: string | null) => Promise<AlertWordChanges>
  readonly maxAgeMs: number
  readonly maxRealms: number
  readonly now?: () => number
}): GetWatchedWords {
  const realms = new LRUCache<number, Kept>({ max: maxRealms })
  const asking = new Map<number, Promise<WatchedWords>>()

  const ask = async (realmId: number): Promise<WatchedWords> => {
    const kept = realms.get(realmId)
    const askedAt = now()
    const { cursor, changes } = await read(realmId, kept?.cursor ?? null)
    if (kept && BigInt(cursor) < BigInt(kept.cursor)) {
      // The database was put back to an earlier state: what was read of a later one may never have been.
      realms.delete(realmId)
      return ask(realmId)
    }
    const words = kept?.words ?? new WatchedWords()
    await takeOver(words, changes)
    realms.set(realmId, { words, cursor, askedAt })
    return words
  }

  return async (realmId) => {
    const kept = realms.get(realmId)
    if (kept && now() - kept.askedAt < maxAgeMs) return kept.words
    const asked = asking.get(realmId) ?? ask(realmId).finally(() => asking.delete(realmId))
    asking.set(realmId, asked)
    return asked
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
