import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type AppError, gatewayHeaders, JsonFields } from '@tms/contracts'
import { joinGzip } from '../deflate/join-gzip.ts'
import { allowOf } from './allow.ts'
import type { AnswerTarget } from './answer-target.ts'
import { trackAnswerBytes } from './buffered-bytes.ts'
import { retryAfterOf } from './retry-after.ts'

const JSON_HEADERS = {
  'content-type': 'application/json',
  // Answers depend on the caller and change at any moment.
  'cache-control': 'private, no-store',
}

const headers = (length: number): Record<string, string | number> => ({
  ...JSON_HEADERS,
  'content-length': length,
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
  readonly texts: readonly JsonFields[]
  readonly last: object

  constructor(texts: readonly JsonFields[], last: object) {
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
 * Answers success with fields that are texts already, in gzip if one of them is deflated. Texts that come from another service
 * aren't buffered. Resolves when everything was written; rejects if such a text breaks off, and the answer with it, or the client
 * has left.
 */
export async function replyJoined(
  response: ServerResponse,
  { texts, last }: JoinedFields,
  ignored: readonly string[],
): Promise<void> {
  const end = ignored.length > 0 ? { ...last, ignored_parameters_unsupported: ignored } : last
  const filled = texts.filter(({ length }) => length > 0)
  const joined = [
    textOf('{"result":"success","msg":""'),
    ...filled.flatMap((text) => [textOf(','), text]),
    textOf(`,${JSON.stringify(end).slice(1)}`),
  ]
  try {
    if (filled.some(({ deflatedFrom }) => deflatedFrom)) await writeGzip(response, joined)
    else await writeParts(response, joined)
  } finally {
    for (const text of texts) text.discard()
  }
}

function textOf(text: string): JsonFields {
  const bytes = Buffer.from(text)
  return new JsonFields([bytes], bytes.length)
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

/**
 * Answers bare JSON in one line, and after it the field `name`: an object, or if it is deflated, its fields as they are, with what
 * they are deflated from in the line, under the same name. Rejects if the caller left.
 */
export async function replyJsonWithTail(
  response: ServerResponse,
  value: object,
  [name, tail]: readonly [string, JsonFields],
): Promise<void> {
  const { deflatedFrom } = tail
  const line = JSON.stringify(deflatedFrom ? { ...value, [name]: deflatedFrom } : value)
  const texts = deflatedFrom ? [tail] : [textOf('{'), tail, textOf('}')]
  await writeParts(response, [textOf(`${line}\n`), ...texts])
}

/** Texts in memory are written at once, without copying them; others as they arrive, at the client's pace. */
async function writeParts(response: ServerResponse, texts: readonly JsonFields[]): Promise<void> {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  response.writeHead(200, headers(length))
  const parts = texts.map((text) => text.parts)
  if (!parts.every(isInMemory)) return pipeline(Readable.from(inOrder(parts)), response)
  trackAnswerBytes(response, length)
  response.cork()
  for (const bytes of parts.flatMap((each) => [...each])) response.write(bytes)
  response.end()
}

function writeGzip(response: ServerResponse, texts: readonly JsonFields[]): Promise<void> {
  const length = texts.reduce((sum, text) => sum + (text.deflatedFrom ?? text).length, 0)
  response.writeHead(200, {
    ...JSON_HEADERS,
    ...{ 'content-encoding': 'gzip', vary: 'accept-encoding', [gatewayHeaders.inflatedLength]: length },
  })
  return pipeline(Readable.from(joinGzip(texts)), response)
}

const isInMemory = (parts: JsonFields['parts']): parts is Iterable<Uint8Array> => Symbol.iterator in parts

async function* inOrder(texts: readonly JsonFields['parts'][]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield* text
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
