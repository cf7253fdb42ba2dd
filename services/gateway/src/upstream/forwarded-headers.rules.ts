import type { IncomingMessage } from 'node:http'
import type { Call } from '../requests/call.ts'
import {
  type ClientAddressing,
  clientHostOf,
  clientIpOf,
  clientSchemeOf,
} from '../requests/client-address.rules.ts'

/** Of one connection only (RFC 9110, 7.6.1), so never passed on. */
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
/** What the gateway says itself; a client's own word on it isn't believed. */
const REPLACED = new Set([
  'authorization',
  'content-length',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
])

/** Headers of the request to a service, names and values in turn. `traceHeaders` take the place of the client's. */
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
  ]
  const named = namedByConnection(request)
  for (const name in request.headers) {
    const value = request.headers[name]
    if (value === undefined || HOP_BY_HOP.has(name) || REPLACED.has(name) || named?.has(name)) continue
    // What the client says it is part of, the gateway is part of, and says what the service is.
    if (traceHeaders && (name === 'traceparent' || name === 'tracestate')) continue
    headers.push(name, Array.isArray(value) ? value.join(', ') : value)
  }
  for (const name in traceHeaders) headers.push(name, traceHeaders[name] ?? '')
  if (carriesBody(request)) headers.push(...bodyLength(request))
  return headers
}

/** GET and HEAD mean nothing by a body, so theirs stays here; every other body goes on. */
export function carriesBody(request: IncomingMessage): boolean {
  return request.method !== 'GET' && request.method !== 'HEAD'
}

function bodyLength({ headers }: IncomingMessage): [string, string] {
  if (headers['transfer-encoding'] !== undefined) return ['transfer-encoding', 'chunked']
  return ['content-length', headers['content-length'] ?? '0']
}

/** A client may declare further headers to be of its connection only. */
function namedByConnection({ headers }: IncomingMessage): Set<string> | null {
  const { connection } = headers
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()))
}

/** Headers of a service's answer that go on to the client, names and values in turn. */
export function downstreamHeaders(raw: readonly string[], common: readonly string[]): string[] {
  const headers = [...common]
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] as string).toLowerCase()
    if (!HOP_BY_HOP.has(name)) headers.push(name, raw[i + 1] as string)
  }
  return headers
}
