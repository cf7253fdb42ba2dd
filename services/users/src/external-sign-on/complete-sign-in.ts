import { AppError, type RealmProjection, type SignInRefusalReason } from '@tms/contracts'
import { type Logger, type PageAnswer, RedirectAnswer } from '@tms/service-kit'
import { recordSignIn } from '../credentials/record-sign-in.ts'
import { getCredentials } from '../kernel/credentials/credential.queries.ts'
import { randomText } from '../kernel/credentials/random-text.ts'
import type { BroughtAnswer, ProvenPerson, Provider } from '../providers/provider.ts'
import { nameOf } from '../providers/provider-calls.ts'
import type { BrowserRequest } from '../sessions/browser-request.ts'
import { findAccountOfPerson } from './find-account.ts'
import { findProvider, methodIdAt } from './find-provider.ts'
import type { FlowState, HandOver } from './flow.ts'
import { forgetFlowSecret, hasFlowSecret } from './flow-secret.ts'
import { noteRefusal } from './note-refusal.ts'
import { encryptToken, mobileAppUrl } from './one-time-pad.rules.ts'
import { desktopTokenView, lostFlowView, methodOffView, noAccountView, refusedView } from './outcome-views.ts'
import type { SignOnContext } from './sign-on-context.ts'
import { getRealm, redirectUriOf } from './start-sign-in.ts'

export interface CompleteRequest extends BrowserRequest {
  readonly context: SignOnContext
  readonly input: BroughtAnswer
  readonly requestId: string
  readonly log: Logger
}

export const HAND_OVER_TOKEN_LENGTH = 32
/** The default organization has none, which providers can't say. */
const DEFAULT_SUBDOMAIN = 'www'

/** Takes a provider's answer, from the browser that was sent there and from no other. */
export async function complete(request: CompleteRequest, path: string): Promise<PageAnswer | RedirectAnswer> {
  const { context, input } = request
  const { state = '' } = input
  const owner = { url: context.externalUrl }
  const flow = state === '' ? null : await context.oneTime.takeFlow(state)
  const installation = { name: context.externalHost, ...owner }
  if (!flow) return lostFlowView(installation)
  if (flow.path !== path || !hasFlowSecret(request, owner, flow.browserHash)) {
    await noteForeignFlow(request, flow)
    return lostFlowView(installation)
  }
  return completeFlow(request, flow)
}

/** Records that an answer came to a sign-in that this browser, or this site, didn't begin: it may be stolen. */
export async function noteForeignFlow(request: CompleteRequest, flow: FlowState): Promise<void> {
  await note(request, await getRealm(request.context, flow.subdomain), flow, 'other_browser')
}

/** Ends a sign-in that this browser began. */
export async function completeFlow(
  request: CompleteRequest,
  flow: FlowState,
): Promise<PageAnswer | RedirectAnswer> {
  const { context, input, log } = request
  const { path, nonce, codeVerifier } = flow
  const realm = await getRealm(context, flow.subdomain)
  const provider = findProvider(context, realm, path)
  if (!provider) {
    await note(request, realm, flow, 'method_off')
    return methodOffView(realm)
  }
  const attempt = { state: input.state ?? '', nonce, codeVerifier, redirectUri: redirectUriOf(context, path) }
  const verification = await provider.verify(attempt, input)
  if (verification.kind !== 'proven') await note(request, realm, flow, verification.kind)
  switch (verification.kind) {
    case 'proven':
      if (isForeign(realm, verification.person)) {
        await note(request, realm, flow, 'foreign')
        return refusedView(realm, provider.settings, `${realm.name} doesn’t admit this account.`)
      }
      return signIn(request, { realm, provider, flow, person: verification.person })
    case 'cancelled':
      return refusedView(realm, provider.settings, 'You have not signed in there.')
    case 'foreign':
      return refusedView(realm, provider.settings, `${realm.name} doesn’t admit this account.`)
    case 'wrong':
      log.warn({ err: verification.cause, provider: path }, 'a sign-in at a provider was refused')
      return refusedView(realm, provider.settings, 'Its answer can’t be verified. Try again.')
  }
}

/** Records a refusal. */
const note = (
  request: CompleteRequest,
  realm: RealmProjection,
  { path }: FlowState,
  reason: SignInRefusalReason,
  userId?: number,
): Promise<void> => noteRefusal(request, realm, { method: methodIdAt(request.context, path), reason, userId })

/** Whether the provider doesn't let the person enter the organization. */
export const isForeign = ({ string_id }: RealmProjection, { mayEnter }: ProvenPerson): boolean =>
  mayEnter !== undefined && !mayEnter.includes(string_id || DEFAULT_SUBDOMAIN)

async function signIn(
  request: CompleteRequest,
  found: { realm: RealmProjection; provider: Provider; flow: FlowState; person: ProvenPerson },
): Promise<PageAnswer | RedirectAnswer> {
  const { context, requestId, log } = request
  const { realm, provider, flow, person } = found
  const { settings } = provider
  const outcome = await findAccountOfPerson(context, realm, { provider, person, wish: flow, requestId, log })
  if (outcome.kind !== 'found')
    await note(request, realm, flow, outcome.kind, 'userId' in outcome ? outcome.userId : undefined)
  switch (outcome.kind) {
    case 'found':
      return answerClient(request, realm, flow, { id: outcome.account.id, details: person.session })
    case 'none':
      return noAccountView(realm, settings, outcome.email, flow)
    case 'deactivated':
      return refusedView(realm, settings, 'Your account is deactivated.')
    case 'unverified':
      return refusedView(realm, settings, `${nameOf(settings)} hasn’t verified an e-mail address of yours.`)
    case 'taken':
      return refusedView(
        realm,
        settings,
        'The account with your e-mail address belongs to somebody else there. It is released when an administrator deactivates and reactivates it.',
      )
    case 'refused':
      return refusedView(realm, settings, `${outcome.reason}.`)
  }
}

/** Gives the client what it began the sign-in for: the app's key, the app's token, or a session at the organization's host. */
async function answerClient(
  request: CompleteRequest,
  realm: RealmProjection,
  flow: FlowState,
  { id, details }: { readonly id: number; readonly details: HandOver['details'] },
): Promise<PageAnswer | RedirectAnswer> {
  const { context, userAgent, headers, requestId } = request
  const cookies = [forgetFlowSecret(request, { url: context.externalUrl })]
  const credentials = await getCredentials(context.prisma, realm.realm_id, id)
  if (!credentials.isActive) throw new AppError('USER_DEACTIVATED')
  if (flow.mobilePad !== undefined) {
    const device = { userAgent, address: headers['x-forwarded-for'] }
    const method = methodIdAt(context, flow.path)
    await recordSignIn(context, realm, credentials, { method, grants: 'api_key', device, requestId })
    return new RedirectAnswer(mobileAppUrl(credentials, realm.url, flow.mobilePad), cookies)
  }
  const isForDesktop = flow.desktopKey !== undefined
  const token = randomText(HAND_OVER_TOKEN_LENGTH)
  await context.oneTime.keepHandOver(token, {
    realmId: realm.realm_id,
    account: { id: credentials.id, sessionGeneration: credentials.sessionGeneration },
    path: flow.path,
    next: flow.next,
    details,
    originHash: isForDesktop ? null : flow.originHash,
  })
  if (flow.desktopKey !== undefined)
    return desktopTokenView(realm, encryptToken(token, flow.desktopKey), cookies)
  // The secret stays until the host of the organization has seen it, which may be this one.
  return new RedirectAnswer(`${realm.url}/accounts/login/subdomain/${token}`)
}
