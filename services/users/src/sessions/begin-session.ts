import { AppError, type RealmProjection } from '@tms/contracts'
import type { Context } from '../kernel/context.ts'
import { type BrowserRequest, cookieFor, findSessionCookie } from './browser-request.ts'
import { SESSION_SECONDS } from './redis-session-store.ts'
import { findSessionGrounds } from './session.queries.ts'
import { createSecret, hashSecret } from './session-secret.ts'

/** Longer texts are cut. */
const MAX_AGENT_LENGTH = 300

export interface NewSession {
  /**
   * Its credentials as they were when the sign-in was checked. If the password has changed or the account was
   * deactivated since, no session begins.
   */
  readonly account: { readonly id: number; readonly sessionGeneration: number }
  /** How the user signed in: `password`, or the name of an external method. */
  readonly method: string
  /** What the method needs to know later, such as the session at its own site. */
  readonly details?: Readonly<Record<string, string>>
}

/**
 * Begins a session of a user who has just signed in, and returns the cookies for the answer. The session always gets a
 * new ID; one that the browser had at this host ends. Throws REALM_DEACTIVATED, USER_DEACTIVATED, AUTHENTICATION_FAILED.
 */
export async function beginSession(
  context: Pick<Context, 'db' | 'sessions' | 'now'>,
  request: BrowserRequest,
  realm: RealmProjection,
  { account, method, details = {} }: NewSession,
): Promise<string[]> {
  if (!realm.is_active) throw new AppError('REALM_DEACTIVATED')
  const { db, sessions, now } = context
  const realmId = realm.realm_id
  const grounds = await findSessionGrounds(db, realmId, account.id)
  if (!grounds || grounds.isBot) throw new AppError('AUTHENTICATION_FAILED')
  if (!grounds.isActive) throw new AppError('USER_DEACTIVATED')
  if (grounds.accountGeneration !== account.sessionGeneration) throw new AppError('AUTHENTICATION_FAILED')

  const earlier = findSessionCookie(request, realm)
  if (earlier) await sessions.remove({ realmId, userId: earlier.userId }, [hashSecret(earlier.secret)])
  const secret = createSecret()
  const { accountGeneration, realmGeneration } = grounds
  const beganAt = Math.floor(now().getTime() / 1_000)
  await sessions.add(
    { realmId, userId: account.id },
    {
      idHash: hashSecret(secret),
      ...{ accountGeneration, realmGeneration, method, details, beganAt, usedAt: beganAt },
      userAgent: (request.userAgent ?? '').slice(0, MAX_AGENT_LENGTH),
      address: request.headers['x-forwarded-for'] ?? '',
    },
  )
  return [
    cookieFor(request, realm, {
      ...{ name: 'sessionid', value: `${account.id}.${secret}`, maxAgeSeconds: SESSION_SECONDS },
    }),
    cookieFor(request, realm, { name: 'csrftoken', value: '', maxAgeSeconds: 0 }),
  ]
}
