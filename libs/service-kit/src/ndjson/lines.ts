import { badRequest } from '@tms/contracts'

/** Bytes of one line: the longest records are a few megabytes, and a stream without line feeds must end somewhere. */
const MAX_LINE_BYTES = 64 * 1024 * 1024
/** Bytes per chunk: smaller costs a write for each record, larger memory. */
const CHUNK_BYTES = 64 * 1024
const LINE_FEED = 10

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Values as lines of JSON, in chunks. */
export async function* writeLines(values: AsyncIterable<object>): AsyncGenerator<Buffer> {
  let lines: string[] = []
  let length = 0
  for await (const value of values) {
    const line = `${JSON.stringify(value)}\n`
    lines.push(line)
    length += line.length
    if (length < CHUNK_BYTES) continue
    yield Buffer.from(lines.join(''))
    lines = []
    length = 0
  }
  if (length > 0) yield Buffer.from(lines.join(''))
}

/** The lines of a UTF-8 text, without their ends. Throws BAD_REQUEST for invalid UTF-8, or a line that never ends. */
export async function* readLines(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let partial: Uint8Array[] = []
  let partialBytes = 0
  for await (const chunk of content) {
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      const rest = chunk.subarray(start, end)
      yield decode(partial.length === 0 ? rest : Buffer.concat([...partial, rest]))
      partial = []
      partialBytes = 0
      start = end + 1
    }
    if (start === chunk.length) continue
    partial.push(chunk.subarray(start))
    partialBytes += chunk.length - start
    if (partialBytes > MAX_LINE_BYTES) throw badRequest(`A line is longer than ${MAX_LINE_BYTES} bytes`)
  }
  if (partial.length > 0) yield decode(Buffer.concat(partial))
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw badRequest('A line is not valid UTF-8')
  }
}
