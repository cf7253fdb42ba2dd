import {
  AppError,
  type EndpointInput,
  type endpoints,
  type RealmProjection,
  takesPasswords,
} from '@tms/contracts'
import { type PageAnswer, RedirectAnswer, type Request } from '@tms/service-kit'
import { checkPassword } from '../credentials/sign-in-by-password.ts'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import { methodsOf } from '../kernel/sign-on/methods-of.ts'
import { findSession, type Session } from '../sessions/find-session.ts'
import { isOwnForm } from '../sessions/own-forms.ts'
import type { AccountView } from './account-views.ts'
import { foreignFormView } from './log-in-views.ts'
import { ACCOUNT_PATH, anyRealmOf, DEACTIVATED_PATH, formatWait, LOG_IN_PATH } from './page-request.ts'
import type { Proof } from './proof-fields.ts'

/** A form with what its user has to enter. */
export type ProvingForm = Pick<
  Request<typeof endpoints.users.submitApiKeyForm, DirectoryContext>,
  'context' | 'headers' | 'host' | 'requestId' | 'log'
> & { readonly input: Pick<EndpointInput<typeof endpoints.users.submitApiKeyForm>, 'username' | 'password'> }
export type PageRequest = Pick<ProvingForm, 'context' | 'headers' | 'host'>

/** How old a session may be whose user proves nothing but that it is new: its sign-in was at another site. */
const FRESH_SECONDS = 600

/** A signed-in user with the page's organization. */
export interface Visit {
  readonly realm: RealmProjection
  readonly session: Session
  readonly account: Account
}

/** The user that the browser's session belongs to, or where to log in before `path` opens. */
export async function visitOf(request: PageRequest, path = ACCOUNT_PATH): Promise<Visit | RedirectAnswer> {
  const realm = await anyRealmOf(request)
  if (!realm.is_active) return new RedirectAnswer(DEACTIVATED_PATH)
  const { context } = request
  const session = await findSession(context, request, realm)
  const account = session && (await findAccount(context.prisma, realm.realm_id, session.userId))
  if (!session || !account)
    return new RedirectAnswer(`${LOG_IN_PATH}?${new URLSearchParams({ next: path }).toString()}`)
  return { realm, session, account }
}

/** The same for a form of a page behind the log-in page; what to answer instead if another site may have sent it. */
export async function visitOfForm(
  request: PageRequest & { readonly input: { readonly csrfmiddlewaretoken?: string | undefined } },
  path = ACCOUNT_PATH,
): Promise<Visit | RedirectAnswer | PageAnswer> {
  const visit = await visitOf(request, path)
  if (visit instanceof RedirectAnswer) return visit
  const { realm, session } = visit
  return isOwnForm(request, realm, session, request.input.csrfmiddlewaretoken)
    ? visit
    : foreignFormView(realm, { href: path })
}

/** What the user has to enter, so that somebody who finds the browser open doesn't get the key. */
export function proofFor({ context }: PageRequest, realm: RealmProjection, session: Session): Proof {
  const methods = methodsOf(context, realm)
  if (session.method === 'password' && takesPasswords(methods))
    return methods.includes('LDAP') ? 'user name and password' : 'password'
  const isFresh = context.now().getTime() / 1_000 - session.beganAt <= FRESH_SECONDS
  return isFresh ? 'nothing' : 'new sign-in'
}

/** What to show if the user has not proved who they are; null if they have. */
export async function findRefusal(
  request: ProvingForm,
  { realm, session, account }: Visit,
): Promise<Partial<AccountView> | null> {
  const proof = proofFor(request, realm, session)
  if (proof === 'nothing') return null
  const wrong = { wrong: 'This password is wrong.' }
  if (proof === 'new sign-in') return {}
  const { input, context, requestId, log } = request
  const username = proof === 'password' ? account.deliveryEmail : (input.username ?? '')
  try {
    const found = await checkPassword(context, realm, {
      ...{ username, password: input.password ?? '', requestId, log },
    })
    return found.id === account.id ? null : { ...wrong, username }
  } catch (err) {
    if (!(err instanceof AppError)) throw err
    if (err.code === 'RATE_LIMIT_HIT') {
      const retryAfterSeconds = Number(err.details['retry-after'] ?? 0)
      const text = `There were too many wrong passwords. Try again in ${formatWait(retryAfterSeconds)}.`
      return { wrong: text, username, retryAfterSeconds }
    }
    if (err.code === 'SERVICE_UNAVAILABLE') throw err
    return { ...wrong, username }
  }
}
