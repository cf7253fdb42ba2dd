import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { findProblemOfDatabaseUrl, parseDatabaseUrl } from '../addresses/database-url.ts'
import { splitUrls } from '../addresses/split-urls.ts'
import { servernameOf } from './servername.ts'
import type { ClientTls } from './settings.ts'

/** A server that doesn't answer by then is unavailable, which doesn't prevent a start. */
const TIMEOUT_MS = 3_000
const DEFAULT_PORTS: Readonly<Record<string, number>> = {
  'postgres:': 5432,
  'postgresql:': 5432,
  'rediss:': 6379,
  'amqps:': 5671,
  'https:': 443,
}
/** The message by which a client of PostgreSQL asks for TLS. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])

/**
 * Throws if a server answers with a certificate that isn't trusted, or speaks no TLS though its URL asks for it; the
 * error lists all of them. `variables` are names and URLs.
 */
export async function refuseDistrusted(
  variables: Readonly<Record<string, string | readonly string[]>>,
  tls: ClientTls,
): Promise<void> {
  const problems = await findDistrusted(variables, tls)
  const lines = problems.map((problem) => `  ${problem}`).join('\n')
  if (problems.length > 0) throw new Error(`Servers can't be trusted:\n${lines}`)
}

/**
 * One sentence per problem. An unavailable server is no problem: it comes back, while a wrong certificate stays
 * wrong.
 */
async function findDistrusted(
  variables: Readonly<Record<string, string | readonly string[]>>,
  tls: ClientTls,
): Promise<string[]> {
  const servers = Object.entries(variables).flatMap(([name, value]) =>
    urlsIn(value).flatMap((text) =>
      URL.canParse(text) && usesTls(new URL(text)) ? [{ name, url: new URL(text) }] : [],
    ),
  )
  const found = await Promise.all(
    servers.map(async ({ name, url }) => {
      const problem = await problemOf(url, tls)
      return problem === null ? [] : [`${name}: ${url.host} ${problem}`]
    }),
  )
  return found.flat()
}

/** One URL per server. Invalid ones are reported by the code that needs them. */
function urlsIn(value: string | readonly string[]): readonly string[] {
  if (typeof value !== 'string') return value
  if (!/^postgres/i.test(value)) return splitUrls(value)
  if (findProblemOfDatabaseUrl(value) !== null) return []
  const { hosts, urlOf } = parseDatabaseUrl(value)
  return hosts.map(urlOf)
}

function usesTls({ protocol, searchParams }: URL): boolean {
  if (!(protocol in DEFAULT_PORTS)) return false
  // If the URL names its own authorities, its client checks the certificate.
  const isAsked = (searchParams.get('sslmode') ?? 'disable') !== 'disable' && !searchParams.has('sslrootcert')
  return protocol.startsWith('postgres') ? isAsked : true
}

async function problemOf(url: URL, tls: ClientTls): Promise<string | null> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const socket = connect(Number(url.port || DEFAULT_PORTS[url.protocol]), host)
  const timer = setTimeout(() => socket.destroy(new Error('no answer')), TIMEOUT_MS)
  try {
    await once(socket, 'connect')
    if (url.protocol.startsWith('postgres') && !(await offersTls(socket)))
      return 'offers no TLS, which sslmode asks for'
    // Checked here rather than by Node, to distinguish a bad certificate from a failed connection.
    const options = { ...tls, ...servernameOf(url.hostname), host, socket, rejectUnauthorized: false }
    const reason = await authorizationError(options)
    return reason === null ? null : `shows a certificate that isn't trusted (${reason}); TLS_CA names who is`
  } catch {
    return null
  } finally {
    clearTimeout(timer)
    socket.destroy()
  }
}

async function offersTls(socket: Socket): Promise<boolean> {
  socket.write(SSL_REQUEST)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  return answer.toString() === 'S'
}

function authorizationError(options: ConnectionOptions): Promise<string | null> {
  return new Promise((resolve, reject) => {
    const secure = connectTls(options, () => {
      const { authorizationError: error } = secure
      resolve(secure.authorized ? null : String(error instanceof Error ? error.message : error))
    })
    secure.once('error', reject)
    secure.once('close', () => reject(new Error('the connection was closed')))
  })
}
