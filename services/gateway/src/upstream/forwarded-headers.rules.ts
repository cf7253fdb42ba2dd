import type { IncomingMessage } from 'node:http'
import { gatewayHeaders, namesPageCookie, REMOTE_USER_HEADER } from '@tms/contracts'
import { LEAVING_HEADER } from '@tms/service-kit'
import type { Call } from '../requests/call.ts'
import {
  type ClientAddressing,
  clientHostOf,
  clientIpOf,
  clientSchemeOf,
  remoteUserOf,
} from '../requests/client-address.rules.ts'

/** Headers of a single connection (RFC 9110, 7.6.1), so never forwarded. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
/** What services say to the gateway alone. */
const BETWEEN_SERVICES = new Set([gatewayHeaders.inflatedLength, LEAVING_HEADER])
/** Set by the gateway itself; the client's values aren't trusted. */
const REPLACED = new Set([
  'authorization',
  'content-length',
  'cookie',
  'expect',
  'forwarded',
  'host',
  gatewayHeaders.overCallLimit,
  REMOTE_USER_HEADER,
  gatewayHeaders.takesGzip,
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
])

/** Headers of the request to a service, names and values in turn. `traceHeaders` replace the client's. */
export function upstreamHeaders(
  call: Call,
  host: string,
  addressing: ClientAddressing,
  traceHeaders: Readonly<Record<string, string>> | null = null,
): string[] {
  const { request } = call
  const headers = [
    ...['host', host],
    ...['authorization', `Bearer ${call.token}`],
    ...['x-request-id', call.requestId],
    ...['x-forwarded-for', clientIpOf(request, addressing)],
    ...['x-forwarded-host', clientHostOf(request, addressing)],
    ...['x-forwarded-proto', clientSchemeOf(request, addressing)],
    ...['connection', 'keep-alive'],
    ...(call.overLimit === null ? [] : [gatewayHeaders.overCallLimit, String(call.overLimit)]),
  ]
  const named = namedByConnection(request)
  for (const name in request.headers) {
    const value = request.headers[name]
    if (value === undefined || HOP_BY_HOP.has(name) || REPLACED.has(name) || named?.has(name)) continue
    if (name === addressing.remoteUser?.header) continue
    // The gateway continues the client's trace and sends its own span to the service.
    if (traceHeaders && (name === 'traceparent' || name === 'tracestate')) continue
    headers.push(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const remoteUser = call.endpoint?.takesRemoteUser ? remoteUserOf(request, addressing) : null
  if (remoteUser !== null) headers.push(REMOTE_USER_HEADER, remoteUser)
  const cookies = call.endpoint?.takesCookies ? pageCookiesOf(request) : ''
  if (cookies !== '') headers.push('cookie', cookies)
  for (const name in traceHeaders) headers.push(name, traceHeaders[name] ?? '')
  if (carriesBody(request)) headers.push(...bodyLength(request))
  return headers
}

/** A body of GET or HEAD has no meaning and isn't forwarded; every other body is. */
export function carriesBody(request: Pick<IncomingMessage, 'method'>): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD'
}

function bodyLength({ headers }: IncomingMessage): [string, string] {
  if (headers['transfer-encoding'] !== undefined) return ['transfer-encoding', 'chunked']
  return ['content-length', headers['content-length'] ?? '0']
}

/** The cookies that pages of this system set. Others at the same host are none of a service's business. */
function pageCookiesOf({ headers }: IncomingMessage): string {
  return (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => namesPageCookie(pair.slice(0, Math.max(0, pair.indexOf('=')))))
    .join('; ')
}

/** A client may declare further headers that belong to its connection only. */
function namedByConnection({ headers }: IncomingMessage): Set<string> | null {
  const { connection } = headers
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
}

/** Headers of a service's answer that are forwarded to the client, names and values in turn. */
export function downstreamHeaders(raw: readonly string[], common: readonly string[]): string[] {
  const headers = [...common]
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase()
    if (!HOP_BY_HOP.has(name) && !BETWEEN_SERVICES.has(name)) headers.push(name, raw[i + 1] as string)
  }
  return headers
}
