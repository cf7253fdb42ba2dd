import { SharedText } from '@tms/service-kit'
import { LRUCache } from 'lru-cache'

/** Over all organizations; the groups of 50,000 users have less than a megabyte. */
const MAX_BYTES = 32 * 1024 ** 2

/** Returns the last equal text of the same name. */
export type DeduplicateText = (name: string, text: Buffer) => SharedText

/**
 * Lets answers share equal texts, so that each is deflated once, and those that wait for slow clients don't hold copies. Compares
 * contents, so no text needs to be known as equal.
 */
export function createTextDeduplicator(): DeduplicateText {
  const texts = new LRUCache<string, SharedText>({
    maxSize: MAX_BYTES,
    // Numbers take a third of that when deflated; texts take less.
    sizeCalculation: ({ length }) => Math.ceil(1.4 * length) + 1,
  })
  return (name, text) => {
    const last = texts.get(name)
    if (last && text.equals(last.bytes)) return last
    const shared = new SharedText(text)
    texts.set(name, shared)
    return shared
  }
}
