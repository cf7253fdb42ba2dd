import type { RealmProjection } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import type { SessionOwner } from '../kernel/sessions/session-store.ts'
import { type BrowserRequest, cookieFor, findSessionCookie } from './browser-request.ts'
import { hashSecret } from './session-secret.ts'

type Parts = Pick<Context, 'sessions' | 'now'>

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

/** Ends one session of an account, by the hash of its secret. */
export function endSessionByHash({ sessions }: Parts, owner: SessionOwner, idHash: string): Promise<void> {
  return sessions.remove(owner, [idHash])
}

/** Ends all sessions of an account. */
export function endAllSessions({ sessions }: Parts, owner: SessionOwner): Promise<void> {
  return sessions.removeAll(owner)
}

/** Ends all sessions of an account but one. */
export async function endOtherSessions(
  { sessions, now }: Parts,
  owner: SessionOwner,
  { idHash: kept }: { readonly idHash: string },
): Promise<void> {
  const hashes = (await sessions.list(owner, now())).map(({ idHash }) => idHash)
  await sessions.remove(
    owner,
    hashes.filter((idHash) => idHash !== kept),
  )
}

/** Cookies without a session, for the answer. */
export function forgetCookies(request: BrowserRequest, realm: RealmProjection): string[] {
  return [cookieFor(request, realm, { name: 'sessionid', value: '', maxAgeSeconds: 0 })]
}
