import { caseKey } from '../kernel/text/case-key.ts'

interface Watched {
  readonly word: string
  readonly watcherIds: Set<number>
}

/**
 * Alert words of all users of an organization. Searching a text costs at worst its length times the number of
 * different word lengths, however many users and words there are. A change costs the words of the changed user.
 */
export class WatchedWords {
  readonly #wordsOf = new Map<number, readonly string[]>()
  readonly #byWord = new Map<string, Watched>()
  readonly #byHash = new Map<number, Watched[]>()
  /** Number of words by first code unit and length: at each code unit of a text, only these lengths are tried. */
  readonly #counts = new Map<number, Map<number, number>>()

  /** Replaces the words of a user. */
  set(userId: number, words: readonly string[]): void {
    for (const word of this.#wordsOf.get(userId) ?? []) this.#remove(userId, word)
    const keys = [...new Set(words.map(caseKey))].filter((key) => key !== '')
    for (const key of keys) this.#add(userId, key)
    if (keys.length > 0) this.#wordsOf.set(userId, keys)
    else this.#wordsOf.delete(userId)
  }

  /** IDs of the users whose words a text contains as whole words, ignoring case; sorted. */
  find(content: string): number[] {
    if (this.#byWord.size === 0) return []
    const text = caseKey(content)
    const isEdge = edgesOf(text)
    const hashOf = hashesOf(text)
    const found = new Set<Watched>()
    for (let start = 0; start < text.length; start++) {
      if (!isEdge(start)) continue
      for (const length of this.#counts.get(text.charCodeAt(start))?.keys() ?? []) {
        const end = start + length
        if (end > text.length || !isEdge(end)) continue
        for (const watched of this.#byHash.get(hashOf(start, end)) ?? []) {
          if (!found.has(watched) && text.startsWith(watched.word, start)) found.add(watched)
        }
      }
    }
    return unite(found)
  }

  #add(userId: number, word: string): void {
    const known = this.#byWord.get(word)
    if (known) {
      known.watcherIds.add(userId)
      return
    }
    const watched = { word, watcherIds: new Set([userId]) }
    this.#byWord.set(word, watched)
    const hash = hashesOf(word)(0, word.length)
    this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), watched])
    this.#count(word, 1)
  }

  #remove(userId: number, word: string): void {
    const watched = this.#byWord.get(word)
    watched?.watcherIds.delete(userId)
    if (!watched || watched.watcherIds.size > 0) return
    this.#byWord.delete(word)
    const hash = hashesOf(word)(0, word.length)
    const others = (this.#byHash.get(hash) ?? []).filter((other) => other !== watched)
    if (others.length > 0) this.#byHash.set(hash, others)
    else this.#byHash.delete(hash)
    this.#count(word, -1)
  }

  #count(word: string, difference: 1 | -1): void {
    const unit = word.charCodeAt(0)
    const counts = this.#counts.get(unit) ?? new Map<number, number>()
    const count = (counts.get(word.length) ?? 0) + difference
    if (count > 0) counts.set(word.length, count)
    else counts.delete(word.length)
    this.#counts.set(unit, counts)
  }
}

function unite(found: Iterable<Watched>): number[] {
  const userIds = new Set<number>()
  for (const { watcherIds } of found) for (const userId of watcherIds) userIds.add(userId)
  return [...userIds].sort((a, b) => a - b)
}

const WORD = /[\p{L}\p{N}\p{M}_]/u

/** Returns whether a position in a text is not inside a word. */
function edgesOf(text: string): (position: number) => boolean {
  const isOfWord = Array.from(text.split(''), (unit) => WORD.test(unit))
  return (position) => !(isOfWord[position - 1] && isOfWord[position])
}

/** Odd, so that a product loses no information. Words with equal hashes are compared. */
const MULTIPLIER = 0x01_00_01_93

/**
 * Hashes of substrings, each in constant time: in a text of nothing but word edges, every position may be looked up a
 * hundred times, and extracting the substring would cost its length each time.
 */
function hashesOf(text: string): (start: number, end: number) => number {
  const hashes = new Int32Array(text.length + 1)
  const powers = new Int32Array(text.length + 1)
  powers[0] = 1
  for (let at = 0; at < text.length; at++) {
    hashes[at + 1] = Math.imul(hashes[at] ?? 0, MULTIPLIER) + text.charCodeAt(at)
    powers[at + 1] = Math.imul(powers[at] ?? 0, MULTIPLIER)
  }
  return (start, end) => ((hashes[end] ?? 0) - Math.imul(hashes[start] ?? 0, powers[end - start] ?? 0)) | 0
}
