import { type endpoints, findProviders, idOf, type RealmProjection } from '@tms/contracts'
import { type Handler, RedirectAnswer } from '@tms/service-kit'
import { foreignFormView } from '../pages/log-in-views.ts'
import { ACCOUNT_PATH, anyRealmOf, loggedOutPathOf } from '../pages/page-request.ts'
import { isSamlProvider } from '../providers/saml/saml-providers.ts'
import { endAllSessions, endSession } from '../sessions/end-sessions.ts'
import { findSession, type Session } from '../sessions/find-session.ts'
import { isOwnForm } from '../sessions/own-forms.ts'
import { endRecorded } from '../sessions/record-end.ts'
import { stateForSubdomain } from './complete-saml.ts'
import { loggedOutView } from './outcome-views.ts'
import type { SignOnContext } from './sign-on-context.ts'

/** Ends the session here, whatever the site says at which it began, and then there. */
export const handleSubmitLogOutPage: Handler<typeof endpoints.users.submitLogOutPage, SignOnContext> = async (
  request,
) => {
  const realm = await anyRealmOf(request)
  const { context, input, log, requestId } = request
  const session = await findSession(context, request, realm)
  if (session) {
    if (!isOwnForm(request, realm, session, input.csrfmiddlewaretoken))
      return foreignFormView(realm, { href: ACCOUNT_PATH })
  }
  const isEverywhere = input.everywhere === 'true'
  const end = async () => {
    if (session && isEverywhere) await endAllSessions(context, session)
    return endSession(context, request, realm)
  }
  const cookies = await (session
    ? endRecorded(context, { owner: session, ended: isEverywhere ? 'all' : 'this', requestId }, end)
    : end())
  const elsewhere =
    session &&
    (await findLogOutUrl(context, realm, session).catch((err: unknown) => {
      log.warn({ err, method: session.method }, 'a log-out could not go on at the provider')
      return null
    }))
  // A redirect would be one of a form, which the page of the form doesn't allow to other sites.
  return elsewhere
    ? loggedOutView(realm, elsewhere, cookies)
    : new RedirectAnswer(loggedOutPathOf(context, realm), cookies)
}

/** Where the user logs out of the provider at which the session began; null if nowhere. */
async function findLogOutUrl(
  { signOn, providers }: Pick<SignOnContext, 'signOn' | 'providers'>,
  realm: RealmProjection,
  { method, details }: Session,
): Promise<URL | null> {
  const settings = findProviders(signOn.providers, realm.string_id).find((one) => idOf(one) === method)
  const provider = settings && providers.get(settings)
  return provider && isSamlProvider(provider)
    ? provider.findLogOutUrl(details, stateForSubdomain(realm.string_id))
    : null
}
