import { LRUCache } from 'lru-cache'

/** Over all organizations; the groups of 50,000 users have less than a megabyte. */
const MAX_BYTES = 32 * 1024 ** 2

/** Returns the last equal text of the same name. */
export type DeduplicateText = (name: string, text: Buffer) => Buffer

/**
 * Lets answers that wait for slow clients share equal texts, so that each doesn't hold a copy. Compares contents, so
 * no text needs to be known as equal.
 */
export function createTextDeduplicator(): DeduplicateText {
  const texts = new LRUCache<string, Buffer>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ length }) => length + 1,
  })
  return (name, text) => {
    const last = texts.get(name)
    if (last?.equals(text)) return last
    texts.set(name, text)
    return text
  }
}
