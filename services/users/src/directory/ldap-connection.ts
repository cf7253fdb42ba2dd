import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { type ClientTls, servernameOf } from '@tms/service-kit'
import type { Client } from 'ldapts'
import type { OpenedSettings } from './directory-settings.ts'

/** The library keeps an answer in memory until it is whole, however large. */
export const TOO_MANY_BYTES = new Error('the directory sent too much')
const COUNT_MS = 10

/**
 * Connects to a directory, encrypts, runs `work` and closes: each step within `timeoutMs`, all within `lastsMs`, and with
 * `maxBytes`, before about so many have arrived; otherwise rejects, then with TOO_MANY_BYTES as the cause. The library
 * would connect once more after a loss, without StartTLS and as nobody; here that fails.
 */
export async function withLdapConnection<T>(
  settings: OpenedSettings,
  tls: ClientTls,
  { timeoutMs, lastsMs, maxBytes }: { timeoutMs: number; lastsMs: number; maxBytes?: number },
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const { hostname, protocol } = new URL(settings.url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const tlsOptions = { host, ...servernameOf(host), ...(settings.ca === null ? tls : { ca: settings.ca }) }
  let socket: Socket | null = null
  const openOnce = <S extends Socket>(open: () => S): S => {
    if (socket) throw new Error('the connection was lost')
    const opened = open()
    socket = opened
    return opened
  }
  const { Client } = await import('ldapts')
  const client = new Client({
    url: settings.url,
    timeout: timeoutMs,
    connectTimeout: timeoutMs,
    // The library calls them with port and host.
    ...(protocol === 'ldaps:'
      ? {
          createSecureConnection: ((port: number) =>
            openOnce(() => connectSecurely({ ...tlsOptions, port }))) as typeof connectSecurely,
        }
      : {
          createConnection: ((port: number) =>
            openOnce(() => connectPlain({ port, host }))) as typeof connectPlain,
        }),
  })
  const deadline = new AbortController()
  const counter =
    maxBytes === undefined
      ? null
      : setInterval(() => {
          if ((socket?.bytesRead ?? 0) > maxBytes) deadline.abort(TOO_MANY_BYTES)
        }, COUNT_MS)
  const timer = setTimeout(() => deadline.abort(new Error('the directory took too long')), lastsMs)
  try {
    return await untilAborted(deadline.signal, async () => {
      if (settings.start_tls) await client.startTLS({ ...tlsOptions })
      return work(client)
    })
  } finally {
    clearTimeout(timer)
    if (counter) clearInterval(counter)
    void client.unbind().catch(() => {})
    const opened: Socket | null = socket
    if (deadline.signal.aborted) (opened as Socket | null)?.destroy()
  }
}

/** Rejects when aborted, even if what runs never ends. */
function untilAborted<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
    run().then(resolve, reject)
  })
}
