import type { IncomingMessage } from 'node:http'

/** How a client's address is told. */
export interface ClientAddressing {
  /** A proxy in front sets the `x-forwarded-…` headers; without one, clients could write what they like. */
  readonly trustsProxy: boolean
  readonly scheme: 'http' | 'https'
}

/** The client's address; behind a trusted proxy, the one that the proxy saw. */
export function clientIpOf(request: IncomingMessage, { trustsProxy }: ClientAddressing): string {
  const forwarded = trustsProxy ? lastOf(request.headers['x-forwarded-for']) : undefined
  return (forwarded ?? request.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
}

/** The host that the client addressed, which says which organization it means. */
export function clientHostOf(request: IncomingMessage, { trustsProxy }: ClientAddressing): string {
  const forwarded = trustsProxy ? lastOf(request.headers['x-forwarded-host']) : undefined
  return forwarded ?? request.headers.host ?? ''
}

/** The scheme that the client used. */
export function clientSchemeOf(request: IncomingMessage, { trustsProxy, scheme }: ClientAddressing): string {
  const forwarded = trustsProxy ? lastOf(request.headers['x-forwarded-proto']) : undefined
  return forwarded === 'https' || forwarded === 'http' ? forwarded : scheme
}

/** Only the last entry is the trusted proxy's own; those before it came with the request. */
function lastOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.join(',') : header
  return text?.split(',').at(-1)?.trim() || undefined
}
