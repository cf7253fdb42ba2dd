import type { Servers } from '@tms/local-system'
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts'

/** The address of a server by its URL. */
export function addressOf(url: string): { host: string; port: number } {
  const { hostname, port } = new URL(url)
  return { host: hostname, port: Number(port) }
}

/** A proxy before PostgreSQL, and the URL for services to connect through it. */
export async function startDatabaseProxy({ postgres }: Servers): Promise<{ proxy: TcpProxy; url: string }> {
  const proxy = await startTcpProxy(addressOf(postgres.url))
  const url = Object.assign(new URL(postgres.url), { hostname: '127.0.0.1', port: String(proxy.port) })
  return { proxy, url: url.href }
}
