import {
  AppError,
  type endpoints,
  externalMethodsOf,
  type RealmProjection,
  takesPasswords,
} from '@tms/contracts'
import { type Handler, type PageAnswer, RedirectAnswer, type Request } from '@tms/service-kit'
import { signInByPassword } from '../credentials/sign-in-by-password.ts'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { isEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { methodsOf } from '../kernel/sign-on/methods-of.ts'
import { findOnlySite } from '../kernel/sign-on/only-site.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { ownOriginsOf } from '../sessions/browser-request.ts'
import { findSession } from '../sessions/find-session.ts'
import { nextPathOf } from '../sessions/next-url.rules.ts'
import { isOwnForm, protectForms } from '../sessions/own-forms.ts'
import { deactivatedRealmView, foreignFormView, type LogInForm, logInView, withNext } from './log-in-views.ts'
import { ACCOUNT_PATH, anyRealmOf, DEACTIVATED_PATH, formatWait, LOG_IN_PATH } from './page-request.ts'

type Pages = typeof endpoints.users
/** Each page has two addresses. */
type ShownPage = PageRequestOf<'showLogInPage'>
type SubmittedPage = PageRequestOf<'submitLogInPage'>
type PageRequestOf<Name extends 'showLogInPage' | 'submitLogInPage'> = Pick<
  Request<Pages[Name], DirectoryContext>,
  'context' | 'headers' | 'host' | 'userAgent' | 'requestId' | 'log' | 'input'
>

const WRONG = 'The user name or the password is wrong.'

export const handleShowLogInPage: Handler<Pages['showLogInPage'], DirectoryContext> = (request) =>
  showPage(request)
export const handleShowAccountsLogInPage: Handler<Pages['showAccountsLogInPage'], DirectoryContext> = (
  request,
) => showPage(request)
export const handleSubmitLogInPage: Handler<Pages['submitLogInPage'], DirectoryContext> = (request) =>
  logIn(request)
export const handleSubmitAccountsLogInPage: Handler<Pages['submitAccountsLogInPage'], DirectoryContext> = (
  request,
) => logIn(request)

async function showPage(request: ShownPage): Promise<PageAnswer | RedirectAnswer> {
  const realm = await anyRealmOf(request)
  const { context, input } = request
  if (!realm.is_active) return new RedirectAnswer(DEACTIVATED_PATH)
  const isPreview = input.preview !== undefined && input.preview !== ''
  if (!isPreview && (await findSession(context, request, realm)))
    return new RedirectAnswer(nextOf(request, realm) ?? ACCOUNT_PATH)
  const { email = '', already_registered, is_deactivated: deactivated = '' } = input
  const site = findOnlySite(context, realm)
  // A page with something to say is shown.
  if (site !== null && ![email, already_registered, deactivated].some(Boolean) && !isPreview)
    return new RedirectAnswer(withNext(site, nextOf(request, realm)))
  return logInView(realm, {
    ...formOf(request, realm),
    username: email,
    ...(already_registered && { note: 'You have an account already: log in with it.' }),
    // Anything but an address would be a text that somebody else chose for this page.
    ...(isEmail(deactivated) && { alert: deactivatedText(deactivated) }),
  })
}

async function logIn(request: SubmittedPage): Promise<PageAnswer | RedirectAnswer> {
  const realm = await anyRealmOf(request)
  const { context, input } = request
  // The form is one of people without a session, also in a browser that has got one meanwhile.
  if (!isOwnForm(request, realm, null, input.csrfmiddlewaretoken))
    return foreignFormView(realm, { href: LOG_IN_PATH })
  if (!realm.is_active) return new RedirectAnswer(DEACTIVATED_PATH)
  try {
    const account = await signIn(request, realm)
    const cookies = await beginSession(context, request, realm, { account, method: 'password' })
    return new RedirectAnswer(nextOf(request, realm) ?? ACCOUNT_PATH, cookies)
  } catch (err) {
    if (!(err instanceof AppError)) throw err
    return refusalOf(err, request, realm)
  }
}

export const handleShowDeactivatedPage: Handler<Pages['showDeactivatedPage'], Context> = async (request) => {
  const realm = await anyRealmOf(request)
  return realm.is_active ? new RedirectAnswer(LOG_IN_PATH) : deactivatedRealmView(realm)
}

function signIn(
  { context, input, userAgent, headers, requestId, log }: SubmittedPage,
  realm: RealmProjection,
) {
  const { username = '', password = '' } = input
  const device = { userAgent, address: headers['x-forwarded-for'] }
  const entered = { username, password, device, requestId, log, grants: 'session' } as const
  return signInByPassword(context, realm, entered)
}

/** The page again, with what was wrong; as little as `POST /fetch_api_key` tells. */
function refusalOf(
  err: AppError,
  request: SubmittedPage,
  realm: RealmProjection,
): PageAnswer | RedirectAnswer {
  const username = request.input.username ?? ''
  const form: LogInForm = { ...formOf(request, realm), username }
  switch (err.code) {
    case 'BAD_REQUEST':
      return logInView(realm, { ...form, wrong: { username: 'Enter the e-mail address of your account.' } })
    case 'AUTHENTICATION_FAILED':
    case 'NONEXISTENT_SUBDOMAIN':
      return logInView(realm, { ...form, wrong: { password: WRONG } })
    case 'USER_DEACTIVATED':
      return logInView(realm, { ...form, alert: deactivatedText(username) })
    case 'REALM_DEACTIVATED':
      return new RedirectAnswer(DEACTIVATED_PATH)
    case 'PASSWORD_AUTH_DISABLED':
      return logInView(realm, { ...form, alert: `${realm.name} takes no passwords.` })
    case 'RATE_LIMIT_HIT': {
      const seconds = Number(err.details['retry-after'] ?? 0)
      return logInView(realm, {
        ...form,
        alert: `There were too many wrong passwords. Try again in ${formatWait(seconds)}.`,
        retryAfterSeconds: seconds,
      })
    }
    case 'SERVICE_UNAVAILABLE':
      return logInView(realm, { ...form, status: 503, alert: `${err.message}. Try again shortly.` })
    default:
      throw err
  }
}

type FormParts = Pick<SubmittedPage, 'context' | 'host' | 'headers'> & {
  readonly input: { readonly next?: string | undefined }
}

function formOf(request: FormParts, realm: RealmProjection): LogInForm {
  const methods = methodsOf(request.context, realm)
  return {
    protection: protectForms(request, realm, null),
    asksFor: methods.includes('LDAP') ? 'user name' : takesPasswords(methods) ? 'e-mail address' : null,
    hasPasswordReset: methods.includes('Email'),
    external: externalMethodsOf(
      request.context.signOn,
      realm.string_id,
      realm.disabled_authentication_methods,
    ),
    next: nextOf(request, realm),
  }
}

const nextOf = (request: FormParts, realm: RealmProjection): string | null =>
  nextPathOf(request.input.next, ownOriginsOf(request, realm))

const deactivatedText = (email: string): string =>
  `The account ${email} is deactivated. Ask those who administer the organization.`
