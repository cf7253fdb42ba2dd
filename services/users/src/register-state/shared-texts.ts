import { LRUCache } from 'lru-cache'

/** Of all organizations; the groups of 50,000 people have less than a megabyte. */
const MAX_BYTES = 32 * 1024 ** 2

/** Gives for a text the one that was made last under the same name, if it is equal. */
export type ShareText = (name: string, text: Buffer) => Buffer

/**
 * Lets answers that wait for slow clients share what is the same in all of them, so that each doesn't keep its own. Texts
 * are compared, so that none has to be known to be the same.
 */
export function createSharedTexts(): ShareText {
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
