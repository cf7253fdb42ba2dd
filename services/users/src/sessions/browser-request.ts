import { cookieNameOf, type PageCookie, type RealmProjection } from '@tms/contracts'
import { isSecret } from './session-secret.ts'

/** A request of a browser. */
export interface BrowserRequest {
  /** The host name that the browser addressed. */
  readonly host: string
  readonly userAgent?: string | undefined
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

type Owner = Pick<RealmProjection, 'url'>

/** Whether the browser uses HTTPS. A proxy may not say so, but the organization's URL does. */
export const isSecure = ({ headers }: BrowserRequest, { url }: Owner): boolean =>
  headers['x-forwarded-proto'] === 'https' || url.startsWith('https:')

/** The origins at which the browser sees the organization: the one that it addressed, and the configured one. */
export function ownOriginsOf(request: BrowserRequest, realm: Owner): string[] {
  const scheme = isSecure(request, realm) ? 'https' : 'http'
  return [`${scheme}://${request.host}`, realm.url]
    .filter((url) => URL.canParse(url))
    .map((url) => new URL(url).origin)
}

/** The value of a cookie; null without one. */
export function findCookie(request: BrowserRequest, realm: Owner, cookie: PageCookie): string | null {
  const start = `${cookieNameOf(cookie, isSecure(request, realm))}=`
  const pairs = (request.headers['cookie'] ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null
}

/**
 * The `set-cookie` of a cookie for this host alone, which no script can read. Other sites' links send it, other sites'
 * forms and pictures don't, unless it crosses sites. Zero seconds remove it.
 */
export function cookieFor(
  request: BrowserRequest,
  realm: Owner,
  {
    name,
    value,
    maxAgeSeconds,
    crossesSites = false,
  }: { name: PageCookie; value: string; maxAgeSeconds: number; crossesSites?: boolean },
): string {
  const secure = isSecure(request, realm)
  const sameSite = crossesSites && secure ? 'None' : 'Lax'
  return `${cookieNameOf(name, secure)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${secure ? '; Secure' : ''}`
}

/** What the cookie of a session says; null without one. */
export interface SessionCookie {
  readonly userId: number
  readonly secret: string
}

/** The session's cookie: the user's ID, by which it is found, and the secret. */
export function findSessionCookie(request: BrowserRequest, realm: Owner): SessionCookie | null {
  const [id = '', secret = '', ...rest] = (findCookie(request, realm, 'sessionid') ?? '').split('.')
  if (!/^\d{1,10}$/.test(id) || !isSecret(secret) || rest.length > 0) return null
  return { userId: Number(id), secret }
}
