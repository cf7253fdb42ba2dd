import { LRUCache } from 'lru-cache'

/** More than there are kinds of clients, and snapshots that queues of the same moment start from. */
const MAX_KNOWN = 200
/** Clients of a kind have short options. Others would be kept here after their queues are gone. */
const MAX_LENGTH = 4_000

/**
 * Keeps equal parts of queues once in memory: most clients are of a few kinds, and many register at the same moment. Forgets the
 * values that were not asked for in a long time; an equal one is then there twice, which only takes memory.
 */
export class SharedValues {
  readonly #known = new LRUCache<string, object>({ max: MAX_KNOWN })

  /** The value that was made of an equal `source`, or else a new one. Each `kind` has its own values. */
  get<S, V extends object>(kind: string, source: S, make: (source: S) => V): V {
    const key = kind + JSON.stringify(source)
    if (key.length > MAX_LENGTH) return make(source)
    const known = this.#known.get(key)
    if (known !== undefined) return known as V
    const made = make(source)
    this.#known.set(key, made)
    return made
  }
}
