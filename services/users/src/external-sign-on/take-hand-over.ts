import { AppError, type endpoints, type RealmProjection, type SignInRefusalReason } from '@tms/contracts'
import { type Handler, RedirectAnswer } from '@tms/service-kit'
import { recordSignIn } from '../credentials/record-sign-in.ts'
import { findCredentials } from '../kernel/credentials/credential.queries.ts'
import { ACCOUNT_PATH, realmOf } from '../pages/page-request.ts'
import { beginSession, type NewSession } from '../sessions/begin-session.ts'
import { type BrowserRequest, ownOriginsOf } from '../sessions/browser-request.ts'
import { nextPathOf } from '../sessions/next-url.rules.ts'
import { HAND_OVER_TOKEN_LENGTH } from './complete-sign-in.ts'
import { isDesktopApp } from './desktop-start-view.ts'
import { findMethodAt, methodIdAt } from './find-provider.ts'
import { forgetFlowSecret, hasFlowSecret } from './flow-secret.ts'
import { noteRefusal } from './note-refusal.ts'
import { lostFlowView, methodOffView } from './outcome-views.ts'
import type { SignOnContext } from './sign-on-context.ts'

const TOKEN = new RegExp(`^[A-Za-z0-9]{${HAND_OVER_TOKEN_LENGTH}}$`)

/**
 * Ends a sign-in at the host of the organization, in the browser that began it there, or in the desktop app. Everything
 * that may have changed in the meantime is checked again.
 */
export const handleTakeHandOver: Handler<typeof endpoints.users.takeHandOver, SignOnContext> = async (
  request,
) => {
  const { context, input, userAgent, headers, requestId } = request
  const realm = await realmOf(request)
  const handOver = TOKEN.test(input.token) ? await context.oneTime.takeHandOver(input.token) : null
  if (!handOver || handOver.realmId !== realm.realm_id) return lostFlowView(realm)
  const { originHash, account, path, next, details = {} } = handOver
  const isOwn = originHash === null ? isDesktopApp(userAgent) : hasFlowSecret(request, realm, originHash)
  const refuse = (reason: SignInRefusalReason) =>
    noteRefusal(request, realm, { method: methodIdAt(context, path), reason, userId: account.id })
  if (!isOwn) {
    await refuse('other_browser')
    return lostFlowView(realm)
  }
  const method = findMethodAt(context, realm, path)
  if (method === null) {
    await refuse('method_off')
    return methodOffView(realm)
  }
  // Before there is a session: otherwise a log-out in between would miss it.
  if (details['person'] !== undefined)
    await context.logOuts.note(details['person'], { realmId: realm.realm_id, userId: account.id })
  const cookies = await begin(request, realm, { account, method, details })
  const known = cookies && (await findCredentials(context.prisma, realm.realm_id, account.id))
  if (!known) {
    await refuse('account_changed')
    return lostFlowView(realm)
  }
  const device = { userAgent, address: headers['x-forwarded-for'] }
  await recordSignIn(context, realm, known, { method, grants: 'session', device, requestId })
  return new RedirectAnswer(nextPathOf(next, ownOriginsOf(request, realm)) ?? ACCOUNT_PATH, [
    ...cookies,
    forgetFlowSecret(request, realm),
  ])
}

/** The cookies of a new session; null if the account may not have one any more. */
async function begin(
  request: BrowserRequest & { readonly context: SignOnContext },
  realm: RealmProjection,
  session: NewSession,
): Promise<string[] | null> {
  try {
    return await beginSession(request.context, request, realm, session)
  } catch (err) {
    if (err instanceof AppError && err.code !== 'SERVICE_UNAVAILABLE') return null
    throw err
  }
}
