import type { IncomingMessage } from 'node:http'
import { plainAddress } from '@tms/service-kit'
import type { AddressList } from './addresses.ts'

/** How a client's address is determined. */
export interface ClientAddressing {
  /** Whether the `x-forwarded-…` headers of proxies are used; without a proxy, clients could write anything into them. */
  readonly trustsProxy: boolean
  /** The proxies; peers that aren't listed are clients. Absent: every peer is a proxy. */
  readonly proxies?: AddressList | null
  readonly scheme: 'http' | 'https'
  /** The header in which proxies name the user that they have signed in, and these proxies. */
  readonly remoteUser?: { readonly header: string; readonly proxies: AddressList } | null
}

/**
 * The user that a proxy has signed in; null without one. Only the address of the connection's peer counts, and a header
 * that comes twice doesn't: one of the two is the client's.
 */
export function remoteUserOf(request: IncomingMessage, { remoteUser }: ClientAddressing): string | null {
  if (!remoteUser || !remoteUser.proxies.has(plainAddress(request.socket.remoteAddress))) return null
  const { header } = remoteUser
  const count = request.rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === header).length
  const value = request.headers[header]
  return count === 1 && typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}

/** Whether the `x-forwarded-…` headers of a connection's peer are trusted. */
export function trustsPeer(
  address: string | undefined,
  { trustsProxy, proxies = null }: ClientAddressing,
): boolean {
  return trustsProxy && (proxies === null || proxies.has(plainAddress(address)))
}

/** Whether a request came through a trusted proxy, rather than directly. */
export function isThroughProxy({ headers, socket }: IncomingMessage, addressing: ClientAddressing): boolean {
  return headers['x-forwarded-for'] !== undefined && trustsPeer(socket.remoteAddress, addressing)
}

/**
 * The client's address; behind trusted proxies, the one that connected to the first of them: each proxy appends the
 * address of its peer to `x-forwarded-for`, and earlier entries came with the request.
 */
export function clientIpOf(request: IncomingMessage, addressing: ClientAddressing): string {
  const { remoteAddress } = request.socket
  const peer = plainAddress(remoteAddress)
  if (!trustsPeer(remoteAddress, addressing)) return peer
  const forwardedFor = entriesOf(request.headers['x-forwarded-for'])
  const { proxies = null } = addressing
  return (
    (proxies === null ? forwardedFor.at(-1) : forwardedFor.findLast((entry) => !proxies.has(entry))) ?? peer
  )
}

/** The host that the client addressed, which determines the organization. */
export function clientHostOf(request: IncomingMessage, addressing: ClientAddressing): string {
  return forwarded(request, 'x-forwarded-host', addressing) ?? request.headers.host ?? ''
}

/** The scheme that the client used. */
export function clientSchemeOf(request: IncomingMessage, addressing: ClientAddressing): string {
  const scheme = forwarded(request, 'x-forwarded-proto', addressing)
  return scheme === 'https' || scheme === 'http' ? scheme : addressing.scheme
}

/** Only the last entry is the trusted proxy's own; those before it came with the request. */
function forwarded(
  { headers, socket }: IncomingMessage,
  name: 'x-forwarded-host' | 'x-forwarded-proto',
  addressing: ClientAddressing,
): string | undefined {
  if (headers[name] === undefined || !trustsPeer(socket.remoteAddress, addressing)) return undefined
  return entriesOf(headers[name]).at(-1)
}

function entriesOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '')
  return text.split(',').flatMap((entry) => entry.trim() || [])
}
