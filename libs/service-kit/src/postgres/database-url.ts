import { isIP } from 'node:net'

/** A server of a URL that names one or several. */
export interface DatabaseHost {
  readonly host: string
  readonly port: number
}

/** Which of a URL's servers will do: every one, only one that is no standby, or only one that takes writes. */
export type SessionTarget = 'any' | 'primary' | 'read-write'

/** PostgreSQL's URL, taken apart as libpq does. */
export interface DatabaseUrl {
  /** In the order of the URL; empty where its parameters say where the server is, as `host=/run/postgresql`. */
  readonly hosts: readonly DatabaseHost[]
  readonly target: SessionTarget
  /** The URL as if it named this server alone, or the first; it leaves the session's target out. */
  readonly urlOf: (host?: DatabaseHost) => string
}

const DEFAULT_PORT = 5432
const TARGETS: readonly string[] = ['any', 'primary', 'read-write'] satisfies SessionTarget[]
const TARGET_PARAMETER = 'target_session_attrs'

const NO_URL =
  'is no URL such as postgres://user:password@host:5432/database or postgres://user:password@a:5432,b:5433/database; in a password : / ? # [ ] @ are written percent-encoded, as %40 for @'
const WRONG_TARGET = `has a ${TARGET_PARAMETER} other than ${TARGETS.join(', ')}`
const WRONG_MODE = "has an sslmode other than disable and verify-full: others don't look who answers"

/** Scheme, everything up to the path, database and parameters. */
const PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<authority>[^/?#]*)(?<path>\/[^/?#@]*)?(?<query>\?[^#]*)?$/i
const HOST = /^(?<host>\[[^[\]@]+\]|[^:[\]@\s]*)(?::(?<port>\d*))?$/

/** Says what is wrong with a URL, in words that follow the variable's name and repeat nothing of it; null: nothing. */
export function findProblemOfDatabaseUrl(url: string): string | null {
  const parts = takeApart(url)
  if (parts === null || !parts.urls.every((one) => URL.canParse(one))) return NO_URL
  const { searchParams } = new URL(parts.urls[0] ?? '')
  if (!['disable', 'verify-full'].includes(searchParams.get('sslmode') ?? 'disable')) return WRONG_MODE
  return TARGETS.includes(searchParams.get(TARGET_PARAMETER) ?? 'any') ? null : WRONG_TARGET
}

/** Takes a URL apart. Throws an error that repeats nothing of it where it is none. */
export function parseDatabaseUrl(url: string): DatabaseUrl {
  const problem = findProblemOfDatabaseUrl(url)
  const parts = takeApart(url)
  if (problem !== null || parts === null) throw new Error(`The URL of PostgreSQL ${problem}`)
  const { hosts, urls, urlAt } = parts
  const first = new URL(urls[0] ?? '')
  const isElsewhere = first.searchParams.has('host') || hosts[0]?.host === ''
  return {
    hosts: isElsewhere ? [] : hosts,
    target: (first.searchParams.get(TARGET_PARAMETER) ?? 'any') as SessionTarget,
    urlOf: (host) => {
      const one = host === undefined ? (urls[0] ?? '') : urlAt(host)
      if (!first.searchParams.has(TARGET_PARAMETER)) return one
      const parsed = new URL(one)
      parsed.searchParams.delete(TARGET_PARAMETER)
      return parsed.href
    },
  }
}

interface Parts {
  readonly hosts: readonly DatabaseHost[]
  /** One for each host, as the URL writes it. */
  readonly urls: readonly string[]
  readonly urlAt: (host: DatabaseHost) => string
}

function takeApart(url: string): Parts | null {
  const { scheme, authority, path = '', query = '' } = PARTS.exec(url)?.groups ?? {}
  if (scheme === undefined || authority === undefined) return null
  const at = authority.lastIndexOf('@') + 1
  // What looks like parameters is the rest of a password.
  if (at === 0 && query.includes('@')) return null
  const user = authority.slice(0, at)
  const named = authority.slice(at).split(',')
  const hosts = named.map(hostOf)
  // A host that is left out among others would be the machine itself, which nobody means.
  if (!hosts.every((host) => host !== null) || (hosts.length > 1 && hosts.some(({ host }) => host === '')))
    return null
  const urlWith = (text: string) => `${scheme}${user}${text}${path}${query}`
  return { hosts, urls: named.map(urlWith), urlAt: (host) => urlWith(formatHost(host)) }
}

function hostOf(text: string): DatabaseHost | null {
  const { host, port = '' } = HOST.exec(text)?.groups ?? {}
  if (host === undefined) return null
  const number = port === '' ? DEFAULT_PORT : Number(port)
  return number > 0 && number < 65_536 ? { host: host.replace(/^\[|\]$/g, ''), port: number } : null
}

/** As a URL writes it. */
export const formatHost = ({ host, port }: DatabaseHost): string =>
  `${isIP(host) === 6 ? `[${host}]` : host}:${port}`

/** Shorter ones protect nothing, and would be found in any word. */
const MIN_SECRET_LENGTH = 3

/**
 * What an error says, without this URL and its password in whichever form it has it: a server, or a client, may repeat what it
 * was given. The URL may be a wrong one.
 */
export function messageWithoutPassword(err: unknown, url: string): string {
  const text = err instanceof Error ? err.message : String(err)
  const password = /:\/\/[^:@/]*:(.*)@/s.exec(url)?.[1] ?? ''
  return [url, password, decode(password)]
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .reduce((cleaned, secret) => cleaned.replaceAll(secret, '***'), text)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
