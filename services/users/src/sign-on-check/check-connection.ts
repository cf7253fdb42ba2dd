import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { type ClientTls, servernameOf } from '@tms/service-kit'
import { reasonOf, type Steps } from './steps.ts'

const HTTPS_PORT = 443
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'ldap:': 389,
  'ldaps:': 636,
  'http:': 80,
  'https:': HTTPS_PORT,
}
const SECURE = ['ldaps:', 'https:']

/** Whether a server can be reached: its name, its port, and its certificate if its URL asks for TLS. */
export async function checkConnection(
  steps: Steps,
  { url, tls, timeoutMs }: { readonly url: string; readonly tls: ClientTls; readonly timeoutMs: number },
): Promise<boolean> {
  const { hostname, protocol, port: text } = new URL(url)
  const host = hostname.replace(/^\[|\]$/g, '')
  const port = text === '' ? (DEFAULT_PORTS[protocol] ?? HTTPS_PORT) : Number(text)
  if (!(await checkName(steps, host, timeoutMs))) return false
  try {
    await open(() => connect({ host, port }), 'connect', timeoutMs)
    steps.ok(`TCP: port ${port} of ${host} accepts connections`)
  } catch (err) {
    return steps.wrong(`TCP: port ${port} of ${host} accepts no connection: ${reasonOf(err)}`)
  }
  if (!SECURE.includes(protocol)) return true
  try {
    const options = { host, port, ...servernameOf(host), ...tls }
    await open(() => connectSecurely(options), 'secureConnect', timeoutMs)
    return steps.ok(`TLS: the certificate of ${host} is valid`)
  } catch (err) {
    return steps.wrong(`TLS: ${host} can’t be trusted: ${reasonOf(err)}`)
  }
}

async function checkName(steps: Steps, host: string, timeoutMs: number): Promise<boolean> {
  if (isIP(host) !== 0) return true
  try {
    const found = await within(timeoutMs, lookup(host, { all: true }))
    return steps.ok(`DNS: ${host} is ${found.map(({ address }) => address).join(', ')}`)
  } catch (err) {
    return steps.wrong(`DNS: ${host} has no address: ${reasonOf(err)}`)
  }
}

async function open(create: () => Socket, event: string, timeoutMs: number): Promise<void> {
  const socket = create()
  try {
    await once(socket, event, { signal: AbortSignal.timeout(timeoutMs) })
  } catch (err) {
    throw err instanceof Error && err.name === 'AbortError' ? tooSlow(timeoutMs) : err
  } finally {
    socket.on('error', () => {})
    socket.destroy()
  }
}

async function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  const deadline = Promise.withResolvers<never>()
  const timer = setTimeout(() => deadline.reject(tooSlow(timeoutMs)), timeoutMs)
  try {
    return await Promise.race([work, deadline.promise])
  } finally {
    clearTimeout(timer)
  }
}

const tooSlow = (timeoutMs: number): Error => new Error(`no answer within ${timeoutMs / 1_000} s`)
