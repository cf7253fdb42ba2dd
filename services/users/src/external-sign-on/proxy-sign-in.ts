import {
  AppError,
  type endpoints,
  findRemoteUser,
  REMOTE_USER_HEADER,
  REMOTE_USER_ID,
  type RealmProjection,
  type RemoteUserSettings,
  type SignInRefusalReason,
} from '@tms/contracts'
import { type Handler, RedirectAnswer } from '@tms/service-kit'
import { methodsOf } from '../kernel/sign-on/methods-of.ts'
import { realmOf } from '../pages/page-request.ts'
import { desktopStartView, isDesktopApp } from './desktop-start-view.ts'
import { noteRefusal } from './note-refusal.ts'
import { methodOffView, noSignInView } from './outcome-views.ts'
import { addressOfRemoteUser } from './remote-user.rules.ts'
import { signInHere } from './sign-in-here.ts'
import type { SignOnContext } from './sign-on-context.ts'
import { type Beginning, readWish } from './start-sign-in.ts'

type Pages = typeof endpoints.users

/** Leads to the address at which the proxy signs users in. */
export const handleStartProxySignIn: Handler<Pages['startProxySignIn'], SignOnContext> = async (request) => {
  const { input, context, userAgent } = request
  const realm = await realmOf(request)
  getSettings(context, realm)
  const { desktopKey } = readWish(input, false)
  if (isDesktopApp(userAgent) && desktopKey === undefined) return desktopStartView(realm)
  return new RedirectAnswer(`/accounts/login/sso/${queryOf(input)}`)
}

/** Signs in the user that the proxy names: the gateway lets the name of no other client through. */
export const handleCompleteProxySignIn: Handler<Pages['completeProxySignIn'], SignOnContext> = async (
  request,
) => {
  const { input, context, headers, log } = request
  const realm = await realmOf(request)
  const settings = getSettings(context, realm)
  const refuse = (reason: SignInRefusalReason) =>
    noteRefusal(request, realm, { method: REMOTE_USER_ID, reason })
  if (!methodsOf(context, realm).includes('RemoteUser')) {
    await refuse('method_off')
    return methodOffView(realm)
  }
  const wish = readWish(input, false)
  const { display_name: displayName } = settings
  const name = headers[REMOTE_USER_HEADER] ?? ''
  if (name === '') {
    log.warn({ realmId: realm.realm_id }, 'a sign-in by the proxy came without a user')
    await refuse('no_user')
    return noSignInView(realm, displayName, 'The proxy in front of this server didn’t say who you are.')
  }
  const email = addressOfRemoteUser(name, settings)
  if (email === null) {
    log.warn({ realmId: realm.realm_id }, 'the proxy named a user without an e-mail address')
    await refuse('no_address')
    return noSignInView(realm, displayName, 'The name that you have there leads to no e-mail address here.')
  }
  const method = { id: REMOTE_USER_ID, displayName }
  return signInHere({ request, realm, method, person: { email, fullName: null }, wish })
}

/** Throws NOT_FOUND if the installation doesn't offer the method to the organization. */
function getSettings({ signOn }: SignOnContext, realm: RealmProjection): RemoteUserSettings {
  const settings = findRemoteUser(signOn, realm.string_id)
  if (!settings) throw new AppError('NOT_FOUND', { message: `You can't sign in to ${realm.name} that way` })
  return settings
}

function queryOf(input: Beginning): string {
  const { next, multiuse_object_key, mobile_flow_otp, desktop_flow_otp } = input
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries({
    next,
    multiuse_object_key,
    mobile_flow_otp,
    desktop_flow_otp,
  }))
    if (value !== undefined) query.set(name, value)
  return query.size === 0 ? '' : `?${query.toString()}`
}
