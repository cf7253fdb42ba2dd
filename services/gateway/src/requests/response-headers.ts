import type { ServerResponse } from 'node:http'
import { maxFileUploadBytes, resumableUploads } from '@tms/contracts'
import type { Call } from './call.ts'

/** Credentials travel in a header that scripts must set themselves, so any origin may call. */
const CORS = [
  'access-control-allow-origin',
  '*',
  'access-control-expose-headers',
  'x-request-id, retry-after, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, location, tus-resumable, tus-version, ' +
    'tus-extension, tus-max-size, upload-offset, upload-length, upload-expires',
] as const
const PREFLIGHT = {
  'access-control-allow-headers':
    'authorization, content-type, idempotency-key, traceparent, tracestate, x-request-id, x-http-method-override, tus-resumable, ' +
    'upload-length, upload-metadata, upload-offset',
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

/** What clients of uploads in parts ask before they begin. */
const OF_UPLOADS = {
  'tus-resumable': resumableUploads.version,
  'tus-version': resumableUploads.version,
  'tus-extension': resumableUploads.extensions.join(','),
  'tus-max-size': String(maxFileUploadBytes),
} as const

/** Answers OPTIONS: the methods of this path; also the preflight requests of browsers. */
export function replyOptions(
  response: ServerResponse,
  { methods, takesUploads }: { readonly methods: readonly string[]; readonly takesUploads: boolean },
): void {
  const allow = [...methods, 'OPTIONS'].join(', ')
  const headers = {
    allow,
    'access-control-allow-methods': allow,
    ...PREFLIGHT,
    ...(takesUploads && OF_UPLOADS),
  }
  response.writeHead(204, headers).end()
}
