import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  AppError,
  availableMethods,
  type endpoints,
  type RealmProjection,
  Role,
  takesPasswords,
} from '@tms/contracts'
import { FileAnswer, type Handler, type PageAnswer, RedirectAnswer, type Request } from '@tms/service-kit'
import { checkPassword } from '../credentials/sign-in-by-password.ts'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { replaceApiKey } from '../kernel/account-changes/replace-api-key.ts'
import { type Account, findAccount, lockAccount } from '../kernel/accounts/account.queries.ts'
import { getCredentials } from '../kernel/credentials/credential.queries.ts'
import { methodsOf } from '../kernel/sign-on/methods-of.ts'
import { browserNameOf } from '../sessions/browser-name.rules.ts'
import { endOtherSessions, endSessionByHash } from '../sessions/end-sessions.ts'
import { findSession, listSessions, type Session } from '../sessions/find-session.ts'
import { isOwnForm, protectForms } from '../sessions/own-forms.ts'
import { type AccountView, accountView, apiKeyView, type Proof } from './account-views.ts'
import { foreignFormView } from './log-in-views.ts'
import { ACCOUNT_PATH, anyRealmOf, DEACTIVATED_PATH, formatWait, LOG_IN_PATH } from './page-request.ts'

type Pages = typeof endpoints.users
type KeyForm = Pick<
  Request<Pages['submitApiKeyForm'], DirectoryContext>,
  'context' | 'headers' | 'host' | 'requestId' | 'log' | 'input'
>
type PageRequest = Pick<KeyForm, 'context' | 'headers' | 'host'>

/** How old a session may be whose user proves nothing but that it is new: its sign-in was at another site. */
const FRESH_SECONDS = 600

/** A signed-in user with the page's organization. */
interface Visit {
  readonly realm: RealmProjection
  readonly session: Session
  readonly account: Account
}

export const handleShowAccountPage: Handler<Pages['showAccountPage'], DirectoryContext> = async (request) => {
  const visit = await visitOf(request)
  return visit instanceof RedirectAnswer ? visit : showAccount(request, visit)
}

export const handleSubmitApiKeyForm: Handler<Pages['submitApiKeyForm'], DirectoryContext> = async (
  request,
) => {
  const visit = await visitOf(request)
  if (visit instanceof RedirectAnswer) return visit
  const { realm, session, account } = visit
  const { context, input, requestId } = request
  if (!isOwnForm(request, realm, session, input.csrfmiddlewaretoken))
    return foreignFormView(realm, { href: ACCOUNT_PATH })
  const refusal = await findRefusal(request, visit)
  if (refusal) return showAccount(request, visit, refusal)
  const email = account.deliveryEmail
  if (input.action === 'replace') {
    const apiKey = await context.transact(async (tx) => {
      const locked = await lockAccount(tx, account.realmId, account.id)
      if (!locked?.isActive) throw new AppError('USER_DEACTIVATED')
      return replaceApiKey(tx, locked, requestId)
    })
    return apiKeyView(realm, { email, apiKey, isNew: true })
  }
  const { apiKey } = await getCredentials(context.prisma, account.realmId, account.id)
  return input.action === 'download'
    ? zuliprcOf({ email, apiKey, site: realm.url })
    : apiKeyView(realm, { email, apiKey, isNew: false })
}

export const handleSubmitSessionsForm: Handler<Pages['submitSessionsForm'], DirectoryContext> = async (
  request,
) => {
  const visit = await visitOf(request)
  if (visit instanceof RedirectAnswer) return visit
  const { realm, session } = visit
  const { context, input } = request
  if (!isOwnForm(request, realm, session, input.csrfmiddlewaretoken))
    return foreignFormView(realm, { href: ACCOUNT_PATH })
  if (input.session === 'others') await endOtherSessions(context, session, session)
  else if (input.session !== undefined) await endSessionByHash(context, session, input.session)
  // Loading the page again must not send the form again.
  return new RedirectAnswer(ACCOUNT_PATH)
}

/** The user that the browser's session belongs to, or where to log in. */
async function visitOf(request: PageRequest): Promise<Visit | RedirectAnswer> {
  const realm = await anyRealmOf(request)
  if (!realm.is_active) return new RedirectAnswer(DEACTIVATED_PATH)
  const { context } = request
  const session = await findSession(context, request, realm)
  const account = session && (await findAccount(context.prisma, realm.realm_id, session.userId))
  if (!session || !account)
    return new RedirectAnswer(`${LOG_IN_PATH}?${new URLSearchParams({ next: ACCOUNT_PATH }).toString()}`)
  return { realm, session, account }
}

async function showAccount(
  request: PageRequest,
  { realm, session, account }: Visit,
  more: Partial<AccountView> = {},
): Promise<PageAnswer> {
  const { context } = request
  const sessions = await listSessions(context, session)
  const on = methodsOf(context, realm)
  return accountView(realm, {
    protection: protectForms(request, realm, session),
    fullName: account.fullName,
    email: account.deliveryEmail,
    timeZone: account.timezone || 'UTC',
    proof: proofFor(request, realm, session),
    sessions: sessions.map(({ idHash, userAgent, address, beganAt, usedAt }) => ({
      ...{ idHash, address, browser: browserNameOf(userAgent), isThis: idHash === session.idHash },
      ...{ beganAt: new Date(beganAt * 1_000), usedAt: new Date(usedAt * 1_000) },
    })),
    methods:
      account.role > Role.administrator
        ? null
        : availableMethods(context.signOn, realm.string_id).map((name) => ({
            name,
            isOn: on.includes(name),
          })),
    ...more,
  })
}

/** What the user has to enter, so that somebody who finds the browser open doesn't get the key. */
function proofFor({ context }: PageRequest, realm: RealmProjection, session: Session): Proof {
  const methods = methodsOf(context, realm)
  if (session.method === 'password' && takesPasswords(methods))
    return methods.includes('LDAP') ? 'user name and password' : 'password'
  const isFresh = context.now().getTime() / 1_000 - session.beganAt <= FRESH_SECONDS
  return isFresh ? 'nothing' : 'new sign-in'
}

/** What to show if the user has not proved who they are; null if they have. */
async function findRefusal(
  request: KeyForm,
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

/** The file that API clients read. */
function zuliprcOf({ email, apiKey, site }: { email: string; apiKey: string; site: string }): FileAnswer {
  const content = Buffer.from(`[api]\nemail=${email}\nkey=${apiKey}\nsite=${site}\n`)
  return new FileAnswer({
    contentType: 'application/octet-stream',
    disposition: 'attachment; filename="zuliprc"',
    size: content.length,
    tag: createHash('sha256').update(content).digest('base64url'),
    open: ({ start, end }) => Promise.resolve(Readable.from([content.subarray(start, end + 1)])),
  })
}
