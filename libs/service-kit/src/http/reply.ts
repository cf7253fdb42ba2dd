import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { AppError, JsonText } from '@tms/contracts'
import { allowOf } from './allow.ts'
import type { AnswerTarget } from './answer-target.ts'
import { trackAnswerBytes } from './buffered-bytes.ts'
import { retryAfterOf } from './retry-after.ts'

const headers = (length: number): Record<string, string | number> => ({
  'content-type': 'application/json',
  'content-length': length,
  // Answers depend on the caller and change at any moment.
  'cache-control': 'private, no-store',
})

/** Fields of an answer that are JSON text already: `"events":[…],"queue_id":"…"`, without braces. */
export class SerializedFields {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Fields of an answer: those of each text in order, then those of `last`. */
export class JoinedFields {
  readonly texts: readonly JsonText[]
  readonly last: object

  constructor(texts: readonly JsonText[], last: object) {
    this.texts = texts
    this.last = last
  }
}

/** A success that redirects instead of answering an envelope. */
export class RedirectAnswer {
  readonly url: string
  /** Values of `set-cookie`. */
  readonly cookies: readonly string[]
  constructor(url: string, cookies: readonly string[] = []) {
    this.url = url
    this.cookies = cookies
  }
}

/** A status and headers of another protocol; with `fields`, in the envelope of a success. */
export class HeadersAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly fields: object | null

  constructor(
    status: number,
    headers: Readonly<Record<string, string | number>>,
    fields: object | null = null,
  ) {
    this.status = status
    this.headers = headers
    this.fields = fields
  }
}

export function replyHeaders(response: AnswerTarget, answer: HeadersAnswer): void {
  const { status, fields } = answer
  const body = fields === null ? '' : JSON.stringify({ result: 'success', msg: '', ...fields })
  const usual = body === '' ? { 'cache-control': 'no-store' } : headers(Buffer.byteLength(body))
  // A 204 has no length (RFC 9110, 8.6).
  const length = body === '' && status !== 204 ? { 'content-length': 0 } : {}
  response.writeHead(status, { ...usual, ...length, ...answer.headers }).end(body)
}

/** Redirects to the current URL of something. */
export function replyRedirect(response: AnswerTarget, { url, cookies }: RedirectAnswer): void {
  if (cookies.length > 0) response.setHeader('set-cookie', cookies)
  response.writeHead(302, { location: url, 'cache-control': 'private, no-store', 'content-length': 0 }).end()
}

/**
 * Answers success in the common envelope (API document, "Common response envelope"), with further headers, names and values in
 * turn.
 */
export function replySuccess(
  response: AnswerTarget,
  output: unknown,
  ignored: readonly string[],
  moreHeaders: readonly string[] = [],
): void {
  const fields = output instanceof SerializedFields ? output.text : JSON.stringify(output).slice(1, -1)
  const tail = ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : ''
  const body = `{"result":"success","msg":""${fields === '' ? '' : `,${fields}`}${tail}}`
  send(response, 200, body, moreHeaders)
}

/**
 * Answers success with fields that are texts already. Texts that come from another service aren't buffered. Resolves
 * when everything was written; rejects if such a text breaks off, and the answer with it, or the client has left.
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
  // A comma replaces each pair of braces.
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

/** The text's fields without the braces. */
function withoutBraces({ parts, length }: JsonText): JsonText['parts'] {
  let at = 0
  const cut = (part: Uint8Array): Uint8Array => {
    const start = at === 0 ? 1 : 0
    at += part.length
    return part.subarray(start, at === length ? -1 : undefined)
  }
  return isInMemory(parts) ? Array.from(parts, cut) : mapped(parts, cut)
}

/** Answers bare JSON, as calls between services do. */
export function replyJson(response: AnswerTarget, status: number, value: unknown): void {
  send(response, status, JSON.stringify(value))
}

function send(
  response: AnswerTarget,
  status: number,
  body: string,
  moreHeaders: readonly string[] = [],
): void {
  const length = Buffer.byteLength(body)
  trackAnswerBytes(response, length)
  const all = Object.entries(headers(length)).flat()
  response.writeHead(status, [...moreHeaders, ...all]).end(body)
}

/** Answers bare JSON in one line, and after it a text as it is. Rejects if the caller left. */
export async function replyJsonWithTail(
  response: ServerResponse,
  value: unknown,
  tail: JsonText,
): Promise<void> {
  const head = Buffer.from(`${JSON.stringify(value)}\n`)
  await writeParts(response, head.length + tail.length, [[head], tail.parts])
}

/** Texts in memory are written at once, without copying them; others as they arrive, at the client's pace. */
async function writeParts(
  response: ServerResponse,
  length: number,
  texts: readonly JsonText['parts'][],
): Promise<void> {
  response.writeHead(200, headers(length))
  if (!texts.every(isInMemory)) return pipeline(Readable.from(inOrder(texts)), response)
  trackAnswerBytes(response, length)
  response.cork()
  for (const text of texts) for (const part of text) response.write(part)
  response.end()
}

const isInMemory = (parts: JsonText['parts']): parts is Iterable<Uint8Array> => Symbol.iterator in parts

async function* inOrder(texts: readonly JsonText['parts'][]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield* text
}

async function* mapped<T>(items: AsyncIterable<T>, map: (item: T) => T): AsyncGenerator<T> {
  for await (const item of items) yield map(item)
}

/** Answers an error in the common envelope. */
export function replyError(response: AnswerTarget, error: AppError): void {
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

/** The status that a request was answered with; 499 if its client left before that, since then nothing was sent. */
export const sentStatus = (response: AnswerTarget): number =>
  response.headersSent ? response.statusCode : 499
