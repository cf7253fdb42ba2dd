import type { ServerResponse } from 'node:http'
import type { Call } from './call.ts'

/** Credentials travel in a header that scripts must set themselves, so any origin may call. */
const CORS = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'x-request-id, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset',
] as const
const PREFLIGHT = {
  'access-control-allow-headers':
    'authorization, content-type, idempotency-key, traceparent, tracestate, x-request-id',
  'access-control-max-age': '86400',
} as const

/** Headers of every answer, names and values in turn. */
export function commonHeaders({ requestId, limitHeaders }: Call): string[] {
  return ['x-request-id', requestId, ...CORS, ...limitHeaders]
}

/** Sets the common headers on an answer that the gateway gives itself. */
export function setCommonHeaders(call: Call): void {
  const headers = commonHeaders(call)
  for (let i = 0; i < headers.length; i += 2) {
    call.response.setHeader(headers[i] as string, headers[i + 1] as string)
  }
}

/** Answers OPTIONS: the methods of this path; also the preflight requests of browsers. */
export function replyOptions(response: ServerResponse, allowedMethods: readonly string[]): void {
  const methods = [...allowedMethods, 'OPTIONS'].join(', ')
  response.writeHead(204, { allow: methods, 'access-control-allow-methods': methods, ...PREFLIGHT }).end()
}
