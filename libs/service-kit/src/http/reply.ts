import type { ServerResponse } from 'node:http'
import type { AppError, JsonText } from '@tms/contracts'
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
  if (output instanceof JoinedFields) return replyJoined(response, output, ignored)
  const fields = output instanceof SerializedFields ? output.text : JSON.stringify(output).slice(1, -1)
  const tail = ignored.length > 0 ? `,"ignored_parameters_unsupported":${JSON.stringify(ignored)}` : ''
  const body = `{"result":"success","msg":""${fields === '' ? '' : `,${fields}`}${tail}}`
  response.writeHead(200, headers(Buffer.byteLength(body))).end(body)
}

function replyJoined(
  response: ServerResponse,
  { texts, last }: JoinedFields,
  ignored: readonly string[],
): void {
  const end = ignored.length > 0 ? { ...last, ignored_parameters_unsupported: ignored } : last
  const parts: Uint8Array[] = [Buffer.from('{"result":"success","msg":""')]
  const comma = Buffer.from(',')
  for (const { bytes } of texts) if (bytes.length > 2) parts.push(comma, bytes.subarray(1, -1))
  parts.push(comma, Buffer.from(JSON.stringify(end).slice(1)))
  writeParts(response, parts)
}

/** Answers bare JSON, as calls between services do. */
export function replyJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(status, headers(Buffer.byteLength(body))).end(body)
}

/** Answers bare JSON in one line, and after it a text as it is. */
export function replyJsonWithTail(response: ServerResponse, value: unknown, tail: JsonText): void {
  writeParts(response, [Buffer.from(`${JSON.stringify(value)}\n`), tail.bytes])
}

function writeParts(response: ServerResponse, parts: readonly Uint8Array[]): void {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  response.writeHead(200, headers(length))
  response.cork()
  for (const part of parts) response.write(part)
  response.end()
}

/** Answers an error in the common envelope. */
export function replyError(
  response: ServerResponse,
  error: AppError,
  extraHeaders: Record<string, string> = {},
): void {
  const body = JSON.stringify({
    result: 'error',
    msg: error.message,
    code: error.toldCode,
    ...error.details,
  })
  const special: Record<string, string> = {}
  // Every 401 says how to authenticate (RFC 9110, 15.5.2).
  if (error.status === 401) special['www-authenticate'] = 'Basic realm="api", charset="UTF-8"'
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== null) special['retry-after'] = String(retryAfter)
  // The rest of an oversize body would otherwise be read as the next request.
  if (error.code === 'REQUEST_TOO_LARGE') special['connection'] = 'close'
  response
    .writeHead(error.status, { ...headers(Buffer.byteLength(body)), ...special, ...extraHeaders })
    .end(body)
}
