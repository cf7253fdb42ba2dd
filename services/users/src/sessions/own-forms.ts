import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { RealmProjection } from '@tms/contracts'
import { type BrowserRequest, cookieFor, findCookie, isSecure, ownOriginsOf } from './browser-request.ts'
import { createSecret, isSecret } from './session-secret.ts'

/** As long as a page with a form may stay open without a session. */
const YEAR_SECONDS = 31_536_000
const NONCE_BYTES = 16

/** What a page with forms needs: the token for a hidden field, and the cookies for its answer. */
export interface FormProtection {
  readonly token: string
  readonly cookies: readonly string[]
}

/**
 * Protects the forms of a page: their token fits a secret that only this browser has. That is the session's, or, for
 * people without one, that of a cookie of its own. Each page gets another token, so that compressed answers reveal
 * nothing of it.
 */
export function protectForms(
  request: BrowserRequest,
  realm: RealmProjection,
  session: { readonly secret: string } | null,
): FormProtection {
  if (session) return { token: createToken(session.secret), cookies: [] }
  const known = findFormSecret(request, realm)
  if (known !== null) return { token: createToken(known), cookies: [] }
  const value = createSecret()
  const cookie = cookieFor(request, realm, { name: 'csrftoken', value, maxAgeSeconds: YEAR_SECONDS })
  return { token: createToken(value), cookies: [cookie] }
}

/** Whether a posted form comes from a page of this host, in this browser, for this session. */
export function isOwnForm(
  request: BrowserRequest,
  realm: RealmProjection,
  session: { readonly secret: string } | null,
  token: string | undefined,
): boolean {
  const secret = session?.secret ?? findFormSecret(request, realm)
  return secret !== null && isOwnOrigin(request, realm) && isTokenOf(secret, token ?? '')
}

function findFormSecret(request: BrowserRequest, realm: RealmProjection): string | null {
  const value = findCookie(request, realm, 'csrftoken')
  return value !== null && isSecret(value) ? value : null
}

/** Browsers name the origin of every form that they post. Behind HTTPS a request without it is refused. */
function isOwnOrigin(request: BrowserRequest, realm: RealmProjection): boolean {
  const { headers } = request
  const { origin = headers['referer'] } = headers
  if (origin === undefined) return !isSecure(request, realm)
  return URL.canParse(origin) && ownOriginsOf(request, realm).includes(new URL(origin).origin)
}

function createToken(secret: string): string {
  const nonce = randomBytes(NONCE_BYTES).toString('base64url')
  return `${nonce}.${sign(secret, nonce)}`
}

function isTokenOf(secret: string, token: string): boolean {
  const [nonce = '', signature = ''] = token.split('.')
  const [expected, actual] = [Buffer.from(sign(secret, nonce)), Buffer.from(signature)]
  return actual.length === expected.length && timingSafeEqual(actual, expected)
}

const sign = (secret: string, nonce: string): string =>
  createHmac('sha256', secret).update(`form ${nonce}`).digest('base64url')
