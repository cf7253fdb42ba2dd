import type { IncomingMessage } from 'node:http'
import { JsonFields, type TextSum } from '@tms/contracts'

const LINE_FEED = 10
/** Shorter texts are read at once, which frees the connection. */
const SHORT_BYTES = 65_536

/**
 * Reads an answer of `replyJsonWithTail`: its first line at once, and the text after it, which becomes the field
 * `tail`, on demand. The caller either reads that text or discards it. Rejects, and so does reading the text, if
 * nothing more comes for `timeoutMs`, or the answer breaks off.
 */
export async function readWithTail(
  response: IncomingMessage,
  tail: string,
  timeoutMs: number,
): Promise<Record<string, unknown>> {
  const chunks = chunksOf(response, timeoutMs)
  let begin = Buffer.alloc(0)
  let end = -1
  while (end < 0) {
    const { done, value } = await chunks.next()
    if (done) throw new Error('the answer ended before its tail')
    begin = Buffer.concat([begin, value])
    end = begin.indexOf(LINE_FEED)
  }
  const fields = JSON.parse(begin.subarray(0, end).toString()) as Record<string, unknown>
  const inflated = fields[tail] as TextSum | null
  const length = Number(response.headers['content-length']) - end - 1
  const text = followedBy(begin.subarray(end + 1), chunks)
  if (length > SHORT_BYTES)
    return { ...fields, [tail]: new JsonFields(text, length, inflated, () => response.destroy()) }
  const parts: Uint8Array[] = []
  for await (const part of text) parts.push(part)
  return { ...fields, [tail]: new JsonFields(parts, length, inflated) }
}

/** A slow reader here doesn't count; only a peer that stops sending does. */
async function* chunksOf(response: IncomingMessage, timeoutMs: number): AsyncGenerator<Buffer, void> {
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  for (;;) {
    const timer = setTimeout(
      () => response.destroy(new Error('the peer stopped in the middle of its answer')),
      timeoutMs,
    )
    const { done, value } = await chunks.next().finally(() => clearTimeout(timer))
    if (done) return
    yield value
  }
}

async function* followedBy(first: Buffer, others: AsyncIterable<Buffer>): AsyncGenerator<Uint8Array> {
  yield first
  yield* others
}
