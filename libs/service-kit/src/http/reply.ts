import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AppError, JsonText } from '@tms/contracts'
import { allowOf } from './allow.ts'
import { trackAnswerBytes } from './buffered-bytes.ts'
import { retryAfterOf } from './retry-after.ts'

const headers = (length: number): Record<string, string | number> => ({
  'content-type': 'application/json',
  'content-length': length,
  // Responses depend on the caller and change at any moment.
  'cache-control': 'private, no-store',
})

/** Fields of an answer that are JSON text already: `"events":[…],"queue_id":"…"`, without braces. */
export class SerializedFields {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Fields of an answer, those of each text after those of the one before, and then those of `last`. */
export class JoinedFields {
  readonly texts: readonly JsonText[]
  readonly last: object

  constructor(texts: readonly JsonText[], last: object) {
    this.texts = texts
    this.last = last
  }
}

/** A success that says where to look instead of an envelope. */
export class RedirectAnswer {
  readonly url: string
  constructor(url: string) {
    this.url = url
  }
}

/** Sends the client on to where something is at the moment. */
export function replyRedirect(response: ServerResponse, { url }: RedirectAnswer): void {
  response.writeHead(302, { location: url, 'cache-control': 'private, no-store', 'content-length': 0 }).end()
}

/** Answers success in the common envelope (API document, "Common response envelope"). */
export function replySuccess(response: ServerResponse, output: unknown, ignored: readonly string[]): void {
  const fields = output instanceof SerializedFields ? output.text : JSON.stringify(output).slice(1, -1)
  const tail = ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : ''
  const body = `{"result":"success","msg":""${fields === '' ? '' : `,${fields}`}${tail}}`
  send(response, 200, body)
}

/**
 * Answers success with fields that are texts already. Of those that come from elsewhere no more is in memory than is on its
 * way. Resolves when all was written; rejects when such a text breaks off, and the answer with it, or the client has left.
 */
export async function replyJoined(
  response: ServerResponse,
  { texts, last }: JoinedFields,
  ignored: readonly string[],
): Promise<void> {
  const end = ignored.length > 0 ? { ...last, ignored_parameters_unsupported: ignored } : last
  const [head, tail] = ['{"result":"success","msg":""', `,${JSON.stringify(end).slice(1)}`].map((text) =>
    Buffer.from(text),
  ) as [Buffer, Buffer]
  const filled = texts.filter(({ length }) => length > EMPTY_OBJECT)
  // A comma comes for the braces that go.
  const length = filled.reduce((sum, text) => sum + text.length - 1, head.length + tail.length)
  try {
    await writeParts(response, length, [
      [head],
      ...filled.flatMap((text) => [[Buffer.from(',')], withoutBraces(text)]),
      [tail],
    ])
  } finally {
    for (const text of texts) text.discard()
  }
}

const EMPTY_OBJECT = '{}'.length

/** The text's fields alone. */
function withoutBraces({ parts, length }: JsonText): JsonText['parts'] {
  let at = 0
  const cut = (part: Uint8Array): Uint8Array => {
    const start = at === 0 ? 1 : 0
    at += part.length
    return part.subarray(start, at === length ? -1 : undefined)
  }
  return isThere(parts) ? Array.from(parts, cut) : mapped(parts, cut)
}

/** Answers bare JSON, as calls between services do. */
export function replyJson(response: ServerResponse, status: number, value: unknown): void {
  send(response, status, JSON.stringify(value))
}

function send(response: ServerResponse, status: number, body: string): void {
  const length = Buffer.byteLength(body)
  trackAnswerBytes(response, length)
  response.writeHead(status, headers(length)).end(body)
}

/** Answers bare JSON in one line, and after it a text as it is. Rejects when the caller left. */
export async function replyJsonWithTail(
  response: ServerResponse,
  value: unknown,
  tail: JsonText,
): Promise<void> {
  const head = Buffer.from(`${JSON.stringify(value)}\n`)
  await writeParts(response, head.length + tail.length, [[head], tail.parts])
}

/** What is there is written at once, without copying it; the rest as it comes, when the client takes it. */
async function writeParts(
  response: ServerResponse,
  length: number,
  texts: readonly JsonText['parts'][],
): Promise<void> {
  response.writeHead(200, headers(length))
  if (!texts.every(isThere)) return pipeline(Readable.from(inOrder(texts)), response)
  trackAnswerBytes(response, length)
  response.cork()
  for (const text of texts) for (const part of text) response.write(part)
  response.end()
}

const isThere = (parts: JsonText['parts']): parts is Iterable<Uint8Array> => Symbol.iterator in parts

async function* inOrder(texts: readonly JsonText['parts'][]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield* text
}

async function* mapped<T>(items: AsyncIterable<T>, map: (item: T) => T): AsyncGenerator<T> {
  for await (const item of items) yield map(item)
}

/** Answers an error in the common envelope. */
export function replyError(response: ServerResponse, error: AppError): void {
  const body = JSON.stringify({
    result: 'error',
    msg: error.message,
    code: error.publicCode,
    ...error.details,
  })
  const special: Record<string, string> = {}
  // Every 401 says how to authenticate (RFC 9110, 15.5.2).
  if (error.status === 401) special['www-authenticate'] = 'Basic realm="api", charset="UTF-8"'
  const allow = allowOf(error)
  if (allow !== null) special['allow'] = allow
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== null) special['retry-after'] = String(retryAfter)
  // The rest of an oversize body would otherwise be read as the next request.
  if (error.code === 'REQUEST_TOO_LARGE' || error.code === 'FILE_TOO_LARGE') special['connection'] = 'close'
  response.writeHead(error.status, { ...headers(Buffer.byteLength(body)), ...special }).end(body)
}

/**
 * The status that a request was answered with; 499 where its client left before that: nothing was sent, whatever status the
 * response was born with.
 */
export const sentStatus = (response: ServerResponse): number =>
  response.headersSent ? response.statusCode : 499
