import type { RealmProjection } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import type { SessionOwner } from '../kernel/sessions/session-store.ts'
import { type BrowserRequest, cookieFor, findSessionCookie } from './browser-request.ts'
import { hashSecret } from './session-secret.ts'

type Parts = Pick<Context, 'sessions'>

/** Ends the session of the browser at this host, if there is one. Returns the cookies for the answer. */
export async function endSession(
  { sessions }: Parts,
  request: BrowserRequest,
  realm: RealmProjection,
): Promise<string[]> {
  const cookie = findSessionCookie(request, realm)
  if (cookie)
    await sessions.remove({ realmId: realm.realm_id, userId: cookie.userId }, [hashSecret(cookie.secret)])
  return forgetCookies(request, realm)
}

/** Ends all sessions of an account. */
export function endAllSessions({ sessions }: Parts, owner: SessionOwner): Promise<void> {
  return sessions.removeAll(owner)
}

/** Cookies without a session, for the answer. */
function forgetCookies(request: BrowserRequest, realm: RealmProjection): string[] {
  return [cookieFor(request, realm, { name: 'sessionid', value: '', maxAgeSeconds: 0 })]
}
