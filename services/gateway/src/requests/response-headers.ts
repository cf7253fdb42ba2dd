import type { ServerResponse } from 'node:http'
import { API_PREFIX, maxFileUploadBytes, resumableUploads } from '@tms/contracts'
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

const UPLOADS = API_PREFIX + resumableUploads.path
const UPLOADS_VERSION = ['tus-resumable', resumableUploads.version] as const

/** Whether an address or a path is one of uploads in parts. */
export const isOfUploads = (url: string): boolean =>
  url.startsWith(UPLOADS) && ['', '/', '?'].includes(url.charAt(UPLOADS.length))

/** Headers of every answer, names and values in turn; on those of uploads in parts, errors included, the protocol's version. */
export function commonHeaders({ request, requestId, limitHeaders }: Call): string[] {
  const version = isOfUploads(request.url ?? '') ? UPLOADS_VERSION : []
  return ['x-request-id', requestId, ...CORS, ...version, ...limitHeaders]
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
