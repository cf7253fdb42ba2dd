import type { IncomingMessage } from 'node:http'
import { plainAddress } from '@tms/service-kit'
import type { AddressList } from './addresses.ts'

/** How a client's address is told. */
export interface ClientAddressing {
  /** A proxy in front sets the `x-forwarded-…` headers; without one, clients could write what they like. */
  readonly trustsProxy: boolean
  /** The proxies, where whoever else connects isn't one; absent: whoever connects is. */
  readonly proxies?: AddressList | null
  readonly scheme: 'http' | 'https'
}

/** Whether what the peer of a connection says of its clients is believed. */
export function trustsPeer(
  address: string | undefined,
  { trustsProxy, proxies = null }: ClientAddressing,
): boolean {
  return trustsProxy && (proxies === null || proxies.has(plainAddress(address)))
}

/** Whether a request came through a trusted proxy, and not from beside the process. */
export function isThroughProxy({ headers, socket }: IncomingMessage, addressing: ClientAddressing): boolean {
  return headers['x-forwarded-for'] !== undefined && trustsPeer(socket.remoteAddress, addressing)
}

/**
 * The client's address; behind trusted proxies, the one that the first of them saw: each adds the address that it saw
 * at the end of `x-forwarded-for`, and what stands before those came with the request.
 */
export function clientIpOf(request: IncomingMessage, addressing: ClientAddressing): string {
  const { remoteAddress } = request.socket
  const peer = plainAddress(remoteAddress)
  if (!trustsPeer(remoteAddress, addressing)) return peer
  const told = entriesOf(request.headers['x-forwarded-for'])
  const { proxies = null } = addressing
  return (proxies === null ? told.at(-1) : told.findLast((entry) => !proxies.has(entry))) ?? peer
}

/** The host that the client addressed, which says which organization it means. */
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
