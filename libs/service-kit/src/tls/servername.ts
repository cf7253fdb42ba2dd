import { isIP } from 'node:net'

/** The name for SNI, by which a server with several certificates chooses one; none for an address. */
export function servernameOf(hostname: string): { servername?: string } {
  return isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? { servername: hostname } : {}
}
