import type { RealmProjection } from '@tms/contracts'
import { actAsSessionUser } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { StoredSession } from '../kernel/sessions/session-store.ts'
import { type BrowserRequest, findSessionCookie } from './browser-request.ts'
import { findSessionGrounds, type SessionGrounds } from './session.queries.ts'
import { hashSecret } from './session-secret.ts'

/** How exact the time of the last use is; smaller writes more often. */
const USE_SECONDS = 300

/** A session that is valid now. */
export interface Session extends StoredSession {
  readonly realmId: number
  readonly userId: number
  /** What only the browser knows: forms are signed with it. */
  readonly secret: string
}

type Parts = Pick<Context, 'db' | 'sessions' | 'now'>

/**
 * The session of the browser at this host; null without one. It has ended if its account or organization was
 * deactivated since it began, or the password changed: that is decided by the database, so it holds everywhere at once.
 */
export async function findSession(
  { db, sessions, now }: Parts,
  request: BrowserRequest,
  realm: RealmProjection,
): Promise<Session | null> {
  const cookie = findSessionCookie(request, realm)
  if (!cookie || !realm.is_active) return null
  const owner = { realmId: realm.realm_id, userId: cookie.userId }
  const at = now()
  const session = await sessions.find(owner, hashSecret(cookie.secret), at)
  if (!session) return null
  const grounds = await findSessionGrounds(db, owner.realmId, owner.userId)
  if (!grounds || !isValid(session, grounds)) return null
  const usedAt = Math.floor(at.getTime() / 1_000)
  if (usedAt - session.usedAt >= USE_SECONDS) await sessions.touch(owner, { ...session, usedAt })
  actAsSessionUser(owner.userId)
  return { ...session, ...owner, secret: cookie.secret }
}

/** The valid sessions of an account, the newest first. */
export async function listSessions(
  { db, sessions, now }: Parts,
  owner: { readonly realmId: number; readonly userId: number },
): Promise<StoredSession[]> {
  const grounds = await findSessionGrounds(db, owner.realmId, owner.userId)
  if (!grounds) return []
  return (await sessions.list(owner, now())).filter((session) => isValid(session, grounds))
}

function isValid(session: StoredSession, grounds: SessionGrounds): boolean {
  return (
    grounds.isActive &&
    session.accountGeneration === grounds.accountGeneration &&
    session.realmGeneration === grounds.realmGeneration
  )
}
