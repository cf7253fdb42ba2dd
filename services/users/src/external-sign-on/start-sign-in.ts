import { AppError, badRequest, type endpoints, type RealmProjection } from '@tms/contracts'
import { type Handler, type PageAnswer, RedirectAnswer, subdomainOf } from '@tms/service-kit'
import { realmOf } from '../pages/page-request.ts'
import { type BrowserRequest, ownOriginsOf } from '../sessions/browser-request.ts'
import { createSecret, hashSecret, isSecret } from '../sessions/session-secret.ts'
import { desktopStartView, isDesktopApp } from './desktop-start-view.ts'
import { findProvider } from './find-provider.ts'
import type { Wish } from './flow.ts'
import { flowSecretOf } from './flow-secret.ts'
import { isOneTimePad } from './one-time-pad.rules.ts'
import type { SignOnContext } from './sign-on-context.ts'

type Pages = typeof endpoints.users

export interface Beginning {
  readonly next?: string | undefined
  readonly multiuse_object_key?: string | undefined
  readonly mobile_flow_otp?: string | undefined
  readonly desktop_flow_otp?: string | undefined
}

type StartRequest = BrowserRequest & { readonly context: SignOnContext; readonly input: Beginning }

/** Begins a sign-in at the organization's host, where the browser gets a secret that it has to have at the end. */
export const handleStartExternalLogIn: Handler<Pages['startExternalLogIn'], SignOnContext> = (request) =>
  start(request, request.input.backend, false)

export const handleStartProviderLogIn: Handler<Pages['startProviderLogIn'], SignOnContext> = (request) =>
  start(request, `${request.input.backend}/${request.input.provider}`, false)

export const handleStartExternalSignUp: Handler<Pages['startExternalSignUp'], SignOnContext> = (request) =>
  start(request, request.input.backend, true)

export const handleStartProviderSignUp: Handler<Pages['startProviderSignUp'], SignOnContext> = (request) =>
  start(request, `${request.input.backend}/${request.input.provider}`, true)

/** Sends the browser on to the provider, from the one host to which all providers send people back. */
export const handleOpenExternalSite: Handler<Pages['openExternalSite'], SignOnContext> = (request) =>
  open(request, request.input.backend)

export const handleOpenProviderSite: Handler<Pages['openProviderSite'], SignOnContext> = (request) =>
  open(request, `${request.input.backend}/${request.input.provider}`)

async function start(
  request: StartRequest & { readonly input: { readonly moved?: string | undefined } },
  path: string,
  isSignUp: boolean,
): Promise<PageAnswer | RedirectAnswer> {
  const { context, input } = request
  const realm = await realmOf(request)
  const { linkKey, mobilePad, desktopKey, next } = readWish(request.input, isSignUp)
  getProvider(context, realm, path)
  if (input.moved === undefined && !isAtOwnHost(request, realm))
    return new RedirectAnswer(ownHostUrl(realm, path, isSignUp, input))
  if (isDesktopApp(request.userAgent) && desktopKey === undefined) return desktopStartView(realm)
  const { secret, cookie } = flowSecretOf(request, realm)
  const url = new URL(`${context.externalUrl}/login/${path}/`)
  const fields = {
    subdomain: realm.string_id,
    is_signup: isSignUp ? '1' : '0',
    multiuse_object_key: linkKey ?? '',
    mobile_flow_otp: mobilePad,
    desktop_flow_otp: desktopKey,
    next,
    browser: hashSecret(secret),
  }
  for (const [name, value] of Object.entries(fields))
    if (value !== undefined) url.searchParams.set(name, value)
  return new RedirectAnswer(url.href, [cookie])
}

/** Whether the browser is at the host to which it comes back at the end, with the secret that it gets now. */
function isAtOwnHost(request: BrowserRequest, realm: RealmProjection): boolean {
  const [here, own] = ownOriginsOf(request, realm).map((origin) => new URL(origin).host)
  return own === undefined || here === own
}

/** The same beginning there. Once only: a proxy may name every request's host otherwise. */
function ownHostUrl(realm: RealmProjection, path: string, isSignUp: boolean, wish: Beginning): string {
  const url = new URL(`${realm.url}/accounts/${isSignUp ? 'register' : 'login'}/social/${path}`)
  for (const [name, value] of Object.entries({ ...beginningOf(wish), moved: '1' }))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

const beginningOf = ({
  next,
  multiuse_object_key,
  mobile_flow_otp,
  desktop_flow_otp,
}: Beginning): Beginning => ({ next, multiuse_object_key, mobile_flow_otp, desktop_flow_otp })

async function open(
  request: StartRequest & {
    readonly input: {
      subdomain?: string | undefined
      is_signup?: string | undefined
      browser?: string | undefined
    }
  },
  path: string,
): Promise<PageAnswer | RedirectAnswer> {
  const { context, input, host } = request
  if (subdomainOf(host, context.externalHost) !== '') throw new AppError('NOT_FOUND')
  const realm = await getRealm(context, input.subdomain ?? '')
  const wish = readWish(input, input.is_signup === '1')
  const provider = getProvider(context, realm, path)
  const originHash = isSecret(input.browser ?? '') ? (input.browser ?? null) : null
  // Otherwise somebody could send others a URL that ends with these in an account of the sender's.
  if (originHash === null && wish.mobilePad === undefined && wish.desktopKey === undefined)
    throw badRequest('Begin to sign in at the address of your organization')

  const owner = { url: context.externalUrl }
  const { secret, cookie } = flowSecretOf(request, owner, { crossesSites: provider.answersByForm })
  const [state, nonce, codeVerifier] = [createSecret(), createSecret(), createSecret()]
  const redirectUri = redirectUriOf(context, path)
  const url = await provider.findSignInUrl({ state, nonce, codeVerifier, redirectUri })
  await context.oneTime.keepFlow(state, {
    ...wish,
    ...{ subdomain: realm.string_id, path, nonce, codeVerifier, originHash },
    browserHash: hashSecret(secret),
  })
  return new RedirectAnswer(url.href, [cookie])
}

/** Where the provider sends people back: one for each, so that none can pass off its answer as another's. */
export const redirectUriOf = ({ externalUrl }: Pick<SignOnContext, 'externalUrl'>, path: string): string =>
  `${externalUrl}/complete/${path}/`

/** The active organization of a subdomain. Throws NONEXISTENT_SUBDOMAIN, REALM_DEACTIVATED. */
export function getRealm(context: SignOnContext, subdomain: string): Promise<RealmProjection> {
  const host = subdomain === '' ? context.externalHost : `${subdomain}.${context.externalHost}`
  return realmOf({ host, context, headers: {} })
}

/** Throws NOT_FOUND if the organization doesn't have the provider, or has it off. */
function getProvider(
  context: SignOnContext,
  realm: RealmProjection,
  path: string,
): NonNullable<ReturnType<typeof findProvider>> {
  const provider = findProvider(context, realm, path)
  if (!provider) throw new AppError('NOT_FOUND', { message: `You can't sign in to ${realm.name} that way` })
  return provider
}

/** Throws BAD_REQUEST. */
export function readWish(
  { next, multiuse_object_key: linkKey, mobile_flow_otp: mobilePad, desktop_flow_otp: desktopKey }: Beginning,
  isSignUp: boolean,
): Wish {
  for (const [name, pad] of Object.entries({ mobile_flow_otp: mobilePad, desktop_flow_otp: desktopKey }))
    if (pad !== undefined && !isOneTimePad(pad)) throw badRequest(`${name} must be 64 hexadecimal digits`)
  if (mobilePad !== undefined && desktopKey !== undefined)
    throw badRequest('mobile_flow_otp and desktop_flow_otp exclude each other')
  return { isSignUp, next, linkKey: linkKey || undefined, mobilePad, desktopKey }
}
