import { AppError, findProviders, idOf, pathOf, type SignInRefusalReason } from '@tms/contracts'
import { type PageAnswer, RedirectAnswer, subdomainOf } from '@tms/service-kit'
import { loggedOutPathOf } from '../pages/page-request.ts'
import type { LogOut, SamlProvider } from '../providers/saml/saml-providers.ts'
import { endRecorded } from '../sessions/record-end.ts'
import { isSecret } from '../sessions/session-secret.ts'
import { type CompleteRequest, completeFlow, isForeign, noteForeignFlow } from './complete-sign-in.ts'
import { findProvider } from './find-provider.ts'
import { hasFlowSecret } from './flow-secret.ts'
import { noteRefusal } from './note-refusal.ts'
import { loggedOutView, lostFlowView, methodOffView, refusedView, wrongMessageView } from './outcome-views.ts'
import type { SignOnContext } from './sign-on-context.ts'
import { getRealm } from './start-sign-in.ts'

/** The part of the paths that providers of SAML share. */
export const SAML_BACKEND = 'saml'

type SamlRequest = CompleteRequest & {
  readonly query: string
  readonly input: {
    readonly RelayState?: string | undefined
    readonly SAMLRequest?: string | undefined
  }
}
type Messages = NonNullable<SignOnContext['saml']['messages']>

/**
 * Takes a form of a provider: the answer to a sign-in that began here, one that began there, a request to log somebody
 * out, or the answer to one of ours.
 */
export async function completePostedSaml(request: SamlRequest): Promise<PageAnswer | RedirectAnswer> {
  const { context, input } = request
  const messages = getMessages(request)
  const { SAMLRequest, SAMLResponse: text = '', RelayState: relayState = '' } = input
  if (SAMLRequest !== undefined)
    return logOut(request, messages.findByForm(SAMLRequest), (sender) => sender.verifyPostedLogOut(input))
  if (messages.isLogOutAnswer(text)) return leave(request)
  const owner = { url: context.externalUrl }
  if (!isSecret(relayState)) return beginUnasked(request, messages, text)
  const flow = await context.oneTime.takeFlow(relayState)
  if (!flow) return lostFlowView(installationOf(context))
  if (!flow.path.startsWith(`${SAML_BACKEND}/`) || !hasFlowSecret(request, owner, flow.browserHash)) {
    await noteForeignFlow(request, flow)
    return lostFlowView(installationOf(context))
  }
  return completeFlow(request, flow)
}

/** Takes a provider's request to log somebody out, or its answer to one of ours. */
export async function completeRedirectedSaml(request: SamlRequest): Promise<PageAnswer | RedirectAnswer> {
  const messages = getMessages(request)
  const { input, query } = request
  return input.SAMLRequest === undefined
    ? leave(request)
    : logOut(request, messages.findByQuery(query), (sender) => sender.verifyLogOut(query))
}

/**
 * An answer that nobody asked for signs nobody in: it could be somebody else's, whose account the browser would enter
 * unnoticed. It shows that the provider knows the person, so the sign-in begins here, and is answered once more.
 */
async function beginUnasked(
  request: SamlRequest,
  messages: Messages,
  text: string,
): Promise<PageAnswer | RedirectAnswer> {
  const { context, input, log } = request
  const sender = messages.findByForm(text)
  if (!sender) return wrongMessageView(installationOf(context))
  const { settings } = sender
  const subdomain = subdomainOfState(input.RelayState) ?? onlyOne(settings.organizations) ?? ''
  const realm = await getRealm(context, subdomain)
  const path = pathOf(settings)
  const refuse = (reason: SignInRefusalReason) =>
    noteRefusal(request, realm, { method: idOf(settings), reason })
  if (findProvider(context, realm, path) !== sender) {
    // Nothing is verified yet: a provider of others is none of this organization's business.
    if (findProviders(context.signOn.providers, realm.string_id).includes(settings))
      await refuse('method_off')
    return methodOffView(realm)
  }
  if (!settings.idp_initiated) {
    if ((await sender.verifyUnasked(input)).kind === 'proven') await refuse('begun_there')
    return refusedView(realm, settings, `Begin at the address of ${realm.name}, and not there.`)
  }
  const verification = await sender.verifyUnasked(input)
  if (verification.kind !== 'proven') await refuse(verification.kind)
  switch (verification.kind) {
    case 'proven':
      if (isForeign(realm, verification.person)) {
        await refuse('foreign')
        return refusedView(realm, settings, `${realm.name} doesn’t admit this account.`)
      }
      return new RedirectAnswer(`${realm.url}/accounts/login/social/${path}`)
    case 'cancelled':
      return refusedView(realm, settings, 'You have not signed in there.')
    default:
      log.warn(
        { err: 'cause' in verification ? verification.cause : null, provider: path },
        'a sign-in that began at a provider was refused',
      )
      return refusedView(realm, settings, 'Its answer can’t be verified. Try again.')
  }
}

/** Ends the sessions of the person that the provider names, whatever browser brings the request. */
async function logOut(
  request: SamlRequest,
  sender: SamlProvider | null,
  verify: (sender: SamlProvider) => Promise<LogOut>,
): Promise<PageAnswer | RedirectAnswer> {
  const { context, log } = request
  if (!sender) return wrongMessageView(installationOf(context))
  const asked = await verify(sender).catch((err: unknown) => {
    if (err instanceof AppError) throw err
    log.warn({ err, provider: idOf(sender.settings) }, 'a log-out at a provider was refused')
    return null
  })
  if (!asked) return wrongMessageView(installationOf(context))
  await endSessionsOf(request, sender, asked)
  return asked.answerUrl
    ? new RedirectAnswer(asked.answerUrl.href)
    : loggedOutView(installationOf(context), null)
}

async function endSessionsOf(
  { context, requestId }: Pick<SamlRequest, 'context' | 'requestId'>,
  { settings }: SamlProvider,
  { person, sessionIndexes }: { readonly person: string; readonly sessionIndexes: readonly string[] },
): Promise<void> {
  const { logOuts, sessions, now } = context
  const method = idOf(settings)
  for (const owner of await logOuts.list(person)) {
    const ended = (await sessions.list(owner, now())).filter(
      (session) =>
        session.method === method &&
        session.details['person'] === person &&
        (sessionIndexes.length === 0 || sessionIndexes.includes(session.details['session_index'] ?? '')),
    )
    if (ended.length === 0) continue
    const hashes = ended.map(({ idHash }) => idHash)
    await endRecorded(context, { owner, ended: 'of_provider', requestId }, () =>
      sessions.remove(owner, hashes),
    )
  }
}

/** The session here has ended before the provider was asked, so its answer changes nothing and isn't even read. */
async function leave({ context, input }: SamlRequest): Promise<RedirectAnswer> {
  const realm = await getRealm(context, subdomainOfState(input.RelayState) ?? '')
  return new RedirectAnswer(`${realm.url}${loggedOutPathOf(context, realm)}`)
}

/** Throws NOT_FOUND where providers don't send people. */
function getMessages({ context, host }: SamlRequest): Messages {
  if (!context.saml.messages || subdomainOf(host, context.externalHost) !== '')
    throw new AppError('NOT_FOUND')
  return context.saml.messages
}

const installationOf = ({ externalHost, externalUrl }: SignOnContext) => ({
  name: externalHost,
  url: externalUrl,
})

const onlyOne = (organizations: readonly string[] | undefined): string | undefined =>
  organizations?.length === 1 ? organizations[0] : undefined

/** The organization that a RelayState names, which a provider's settings have, or a log-out of ours. */
function subdomainOfState(relayState: string | undefined): string | undefined {
  try {
    const value: unknown = JSON.parse(relayState ?? '')
    const subdomain =
      value !== null && typeof value === 'object' && 'subdomain' in value ? value.subdomain : null
    return typeof subdomain === 'string' ? subdomain : undefined
  } catch {
    return undefined
  }
}

export const stateForSubdomain = (subdomain: string): string => JSON.stringify({ subdomain })
