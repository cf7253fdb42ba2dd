import { AppError, type RealmProjection } from '@tms/contracts'
import { type Logger, type PageAnswer, RedirectAnswer } from '@tms/service-kit'
import { recordSignIn } from '../credentials/record-sign-in.ts'
import { getCredentials } from '../kernel/credentials/credential.queries.ts'
import { randomText } from '../kernel/credentials/random-text.ts'
import { ACCOUNT_PATH } from '../pages/page-request.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { type BrowserRequest, ownOriginsOf } from '../sessions/browser-request.ts'
import { nextPathOf } from '../sessions/next-url.rules.ts'
import { HAND_OVER_TOKEN_LENGTH } from './complete-sign-in.ts'
import { findAccountOfAddress, type NamedPerson } from './find-account.ts'
import type { Wish } from './flow.ts'
import { noteRefusal } from './note-refusal.ts'
import { encryptToken, mobileAppUrl } from './one-time-pad.rules.ts'
import { desktopTokenView, noSignInView } from './outcome-views.ts'
import type { SignOnContext } from './sign-on-context.ts'

interface Arrival {
  readonly request: BrowserRequest & {
    readonly context: SignOnContext
    readonly requestId: string
    readonly log: Logger
  }
  readonly realm: RealmProjection
  /** The name in sessions and hand-overs, and the one for people. */
  readonly method: { readonly id: string; readonly displayName: string }
  readonly person: NamedPerson
  readonly wish: Wish
}

/**
 * Signs in somebody that the organization's own server names, at the organization's host: the app gets its key or its
 * token, and a browser a session.
 */
export async function signInHere(arrival: Arrival): Promise<PageAnswer | RedirectAnswer> {
  const { request, realm, method, person, wish } = arrival
  const { context, requestId } = request
  const found = await findAccountOfAddress(context, realm, person, wish, requestId)
  if (found.kind !== 'found')
    await noteRefusal(request, realm, {
      ...{ method: method.id, reason: found.kind },
      userId: 'userId' in found ? found.userId : undefined,
    })
  switch (found.kind) {
    case 'found':
      return answer(arrival, found.account.id)
    case 'deactivated':
      return noSignInView(realm, method.displayName, 'Your account is deactivated.')
    case 'refused':
      return noSignInView(realm, method.displayName, `${found.reason}.`)
    default:
      throw new Error(`${found.kind} is about providers`)
  }
}

async function answer(
  { request, realm, method, wish }: Arrival,
  accountId: number,
): Promise<PageAnswer | RedirectAnswer> {
  const { context, userAgent, headers, requestId } = request
  const account = await getCredentials(context.prisma, realm.realm_id, accountId)
  if (!account.isActive) throw new AppError('USER_DEACTIVATED')
  const device = { userAgent, address: headers['x-forwarded-for'] }
  if (wish.mobilePad !== undefined) {
    await recordSignIn(context, realm, account, { method: method.id, grants: 'api_key', device, requestId })
    return new RedirectAnswer(mobileAppUrl(account, realm.url, wish.mobilePad))
  }
  if (wish.desktopKey !== undefined) {
    const token = randomText(HAND_OVER_TOKEN_LENGTH)
    await context.oneTime.keepHandOver(token, {
      realmId: realm.realm_id,
      account: { id: account.id, sessionGeneration: account.sessionGeneration },
      ...{ path: method.id, next: wish.next, originHash: null },
    })
    return desktopTokenView(realm, encryptToken(token, wish.desktopKey), [])
  }
  const cookies = await beginSession(context, request, realm, { account, method: method.id })
  await recordSignIn(context, realm, account, { method: method.id, grants: 'session', device, requestId })
  return new RedirectAnswer(nextPathOf(wish.next, ownOriginsOf(request, realm)) ?? ACCOUNT_PATH, cookies)
}
