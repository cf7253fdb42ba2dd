import type { ServerResponse } from 'node:http'
import type { AppError } from '@tms/contracts'
import { retryAfterOf } from './retry-after.ts'

const headers = (body: string): Record<string, string | number> => ({
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(body),
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
  response.writeHead(200, headers(body)).end(body)
}

/** Answers bare JSON, as calls between services do. */
export function replyJson(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value)
  response.writeHead(status, headers(body)).end(body)
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
  response.writeHead(error.status, { ...headers(body), ...special, ...extraHeaders }).end(body)
}
