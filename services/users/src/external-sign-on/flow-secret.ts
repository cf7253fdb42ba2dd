import { timingSafeEqual } from 'node:crypto'
import { type BrowserRequest, cookieFor, findCookie } from '../sessions/browser-request.ts'
import { createSecret, hashSecret, isSecret } from '../sessions/session-secret.ts'

type Owner = Parameters<typeof findCookie>[1]

/** As long as a sign-in may take. */
const FLOW_SECONDS = 600

/** The secret of this browser at this host, and the cookie that has it. Sign-ins in several tabs share one. */
export function flowSecretOf(
  request: BrowserRequest,
  owner: Owner,
  { crossesSites = false }: { crossesSites?: boolean } = {},
): { secret: string; cookie: string } {
  const secret = findFlowSecret(request, owner) ?? createSecret()
  const cookie = { name: 'signon', value: secret, maxAgeSeconds: FLOW_SECONDS, crossesSites } as const
  return { secret, cookie: cookieFor(request, owner, cookie) }
}

/** Whether this browser has the secret of the hash. */
export function hasFlowSecret(request: BrowserRequest, owner: Owner, hash: string): boolean {
  const secret = findFlowSecret(request, owner)
  if (secret === null) return false
  const [expected, actual] = [Buffer.from(hash), Buffer.from(hashSecret(secret))]
  return expected.length === actual.length && timingSafeEqual(expected, actual)
}

/** The cookie that ends it. */
export const forgetFlowSecret = (request: BrowserRequest, owner: Owner): string =>
  cookieFor(request, owner, { name: 'signon', value: '', maxAgeSeconds: 0 })

function findFlowSecret(request: BrowserRequest, owner: Owner): string | null {
  const secret = findCookie(request, owner, 'signon')
  return secret !== null && isSecret(secret) ? secret : null
}
