import type { IncomingMessage } from 'node:http'
import { JsonFields, type TextSum } from '@tms/contracts'

const LINE_FEED = 10
const BRACES = '{}'.length
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
  const deflatedFrom = (fields[tail] ?? null) as TextSum | null
  const all = Number(response.headers['content-length']) - end - 1
  const bytes = followedBy(begin.subarray(end + 1), chunks)
  const text = deflatedFrom ? bytes : withoutBraces(bytes, all)
  const length = deflatedFrom ? all : all - BRACES
  if (length > SHORT_BYTES)
    return { ...fields, [tail]: new JsonFields(text, length, deflatedFrom, () => response.destroy()) }
  const parts: Uint8Array[] = []
  for await (const part of text) parts.push(part)
  return { ...fields, [tail]: new JsonFields(parts, length, deflatedFrom) }
}

/** The fields of an object that has so many bytes. */
async function* withoutBraces(text: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const part of text) {
    const start = at === 0 ? 1 : 0
    at += part.length
    const fields = part.subarray(start, at === length ? -1 : undefined)
    if (fields.length > 0) yield fields
  }
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
