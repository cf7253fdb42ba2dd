import { isIP } from 'node:net'

/** One server of a URL. */
export interface DatabaseHost {
  readonly host: string
  readonly port: number
}

/** Which of a URL's servers are acceptable: any, only one that is no standby, or only one that takes writes. */
export type SessionTarget = 'any' | 'primary' | 'read-write'

/** A parsed PostgreSQL URL, as libpq understands it. */
export interface DatabaseUrl {
  /** In the order of the URL; empty if its parameters name the server, as `host=/run/postgresql`. */
  readonly hosts: readonly DatabaseHost[]
  readonly target: SessionTarget
  /** The URL for this server alone, or for the first; without the session's target. */
  readonly urlOf: (host?: DatabaseHost) => string
}

const DEFAULT_PORT = 5432
const TARGETS: readonly string[] = ['any', 'primary', 'read-write'] satisfies SessionTarget[]
const TARGET_PARAMETER = 'target_session_attrs'

const INVALID_URL =
  'is no URL such as postgres://user:password@host:5432/database or postgres://user:password@a:5432,b:5433/database; in a password : / ? # [ ] @ are written percent-encoded, as %40 for @'
const WRONG_TARGET = `has a ${TARGET_PARAMETER} other than ${TARGETS.join(', ')}`
const WRONG_MODE = "has an sslmode other than disable and verify-full: others don't look who answers"

/** Scheme, everything up to the path, database and parameters. */
const PARTS = /^(?<scheme>postgres(?:ql)?:\/\/)(?<authority>[^/?#]*)(?<path>\/[^/?#@]*)?(?<query>\?[^#]*)?$/i
const HOST = /^(?<host>\[[^[\]@]+\]|[^:[\]@\s]*)(?::(?<port>\d*))?$/

/** What is wrong with a URL, in words that follow the variable's name and contain nothing of it; null if it is right. */
export function findProblemOfDatabaseUrl(url: string): string | null {
  const parts = splitUrl(url)
  if (parts === null || !parts.urls.every((one) => URL.canParse(one))) return INVALID_URL
  const { searchParams } = new URL(parts.urls[0] ?? '')
  if (!['disable', 'verify-full'].includes(searchParams.get('sslmode') ?? 'disable')) return WRONG_MODE
  return TARGETS.includes(searchParams.get(TARGET_PARAMETER) ?? 'any') ? null : WRONG_TARGET
}

/** Parses a URL. Throws an error that contains nothing of it if it is invalid. */
export function parseDatabaseUrl(url: string): DatabaseUrl {
  const problem = findProblemOfDatabaseUrl(url)
  const parts = splitUrl(url)
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
  /** One URL for each host, as the original writes it. */
  readonly urls: readonly string[]
  readonly urlAt: (host: DatabaseHost) => string
}

function splitUrl(url: string): Parts | null {
  const { scheme, authority, path = '', query = '' } = PARTS.exec(url)?.groups ?? {}
  if (scheme === undefined || authority === undefined) return null
  const at = authority.lastIndexOf('@') + 1
  // What looks like parameters is the rest of a password.
  if (at === 0 && query.includes('@')) return null
  const user = authority.slice(0, at)
  const hostTexts = authority.slice(at).split(',')
  const hosts = hostTexts.map(hostOf)
  // An empty host among others would be this machine, which nobody means.
  if (!hosts.every((host) => host !== null) || (hosts.length > 1 && hosts.some(({ host }) => host === '')))
    return null
  const urlWith = (text: string) => `${scheme}${user}${text}${path}${query}`
  return { hosts, urls: hostTexts.map(urlWith), urlAt: (host) => urlWith(formatHost(host)) }
}

function hostOf(text: string): DatabaseHost | null {
  const { host, port = '' } = HOST.exec(text)?.groups ?? {}
  if (host === undefined) return null
  const number = port === '' ? DEFAULT_PORT : Number(port)
  return number > 0 && number < 65_536 ? { host: host.replace(/^\[|\]$/g, ''), port: number } : null
}

/** Formats a host as a URL writes it. */
export const formatHost = ({ host, port }: DatabaseHost): string =>
  `${isIP(host) === 6 ? `[${host}]` : host}:${port}`

/** Shorter secrets protect nothing, and would match in any word. */
const MIN_SECRET_LENGTH = 3

/**
 * An error's message, with this URL and its password masked in every form: a server, or a client, may repeat what it
 * was given. The URL may be invalid.
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
