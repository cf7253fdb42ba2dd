import type { JsonFields } from '@tms/contracts'
import { deflateText, joinSums, NO_TEXT } from './deflated-text.ts'

/** Deflate, without a name, a time or a system (RFC 1952, 2.3.1). */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** An empty block that is the last one. */
const LAST_BLOCK = Buffer.from([3, 0])

/** Texts, one after the other, as gzip: deflated ones as they are, others deflated as they come. */
export async function* joinGzip(
  texts: Iterable<Pick<JsonFields, 'parts' | 'deflatedFrom'>>,
): AsyncGenerator<Uint8Array> {
  let sum = NO_TEXT
  yield HEAD
  for (const { parts, deflatedFrom } of texts) {
    if (deflatedFrom) {
      yield* parts
      sum = joinSums(sum, deflatedFrom)
      continue
    }
    for await (const part of parts) {
      const deflated = await deflateText(part)
      yield deflated.blocks
      sum = joinSums(sum, deflated.sum)
    }
  }
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(sum.crc32)
  // The length modulo 2^32.
  tail.writeUInt32LE(sum.length % 2 ** 32, 4)
  yield Buffer.concat([LAST_BLOCK, tail])
}
