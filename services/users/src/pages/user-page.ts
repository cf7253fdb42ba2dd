import { AppError, type endpoints, knownTimeZone, Role } from '@tms/contracts'
import { type Handler, type PageAnswer, RedirectAnswer, type Request } from '@tms/service-kit'
import { deactivateUser } from '../accounts/deactivate-user.ts'
import { reactivateUser } from '../accounts/reactivate-user.ts'
import { changeRole } from '../accounts/update-user.ts'
import { revokeToken } from '../api-tokens/revoke-api-token.ts'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import { endAllSessions } from '../sessions/end-sessions.ts'
import { listSessions } from '../sessions/find-session.ts'
import { protectForms } from '../sessions/own-forms.ts'
import { endRecorded } from '../sessions/record-end.ts'
import { findRefusal, type PageRequest, proofFor, type Visit, visitOf, visitOfForm } from './account-visit.ts'
import { ACCOUNT_PATH, USERS_PATH } from './page-request.ts'
import { listShownTokens } from './shown-tokens.ts'
import { noUserView, type UserForm, userView } from './user-views.ts'
import { findLastSeen } from './users-page.ts'
import { ROLE_NAMES } from './users-views.ts'

type Endpoint = typeof endpoints.users.submitUserForm
type Submitted = Request<Endpoint, DirectoryContext>

/** A user, for administrators; others get to their own account. */
export const handleShowUserPage: Handler<typeof endpoints.users.showUserPage, DirectoryContext> = async (
  request,
) => {
  const visit = await visitOf(request, pathOf(request.input.user_id))
  if (visit instanceof RedirectAnswer) return visit
  return showUser(request, visit, request.input.user_id)
}

/**
 * What takes access away needs a session alone. Everything else needs the proof that showing one's own key needs, and has the
 * permissions and errors of the API.
 */
export const handleSubmitUserForm: Handler<Endpoint, DirectoryContext> = async (request) => {
  const { context, input, requestId, log } = request
  const path = pathOf(input.user_id)
  const visit = await visitOfForm(request, path)
  if (!('session' in visit)) return visit
  const { realm, account } = visit
  if (account.role > Role.administrator) return new RedirectAnswer(ACCOUNT_PATH)
  const target = await findUser(request, visit, input.user_id)
  if (!target) return noUserView(realm)
  const caller = { userId: account.id, realmId: account.realmId, role: account.role, isBot: false }
  if (input.revoke !== undefined) {
    const id = Number(input.revoke)
    if (Number.isSafeInteger(id)) await revokeToken(context, caller, id, requestId)
    return new RedirectAnswer(`${path}#tokens`)
  }
  if (input.action === 'end-sessions') {
    const owner = { realmId: realm.realm_id, userId: target.id }
    await endRecorded(context, { owner, ended: 'all', requestId }, () => endAllSessions(context, owner))
    return new RedirectAnswer(`${path}#sessions`)
  }
  const refusal = await findRefusal(request, visit)
  if (refusal) {
    const { wrong, username } = refusal
    const retryAfterSeconds = refusal.retryAfterSeconds ?? null
    return showUser(request, visit, input.user_id, { wrongPassword: wrong, username, retryAfterSeconds })
  }
  try {
    await change({ context, caller, requestId, log }, target.id, input)
  } catch (err) {
    if (!(err instanceof AppError) || err.status >= 500 || err.code === 'UNAUTHORIZED') throw err
    // Proving who one is takes time, in which another administrator may have taken the role away.
    const present = await visitOf(request, path)
    if (present instanceof RedirectAnswer) return present
    return showUser(request, present, input.user_id, { wrong: `${err.message}.` })
  }
  return new RedirectAnswer(path)
}

type Administering = Parameters<typeof deactivateUser>[0]

async function change(request: Administering, userId: number, input: Submitted['input']): Promise<void> {
  if (input.action === 'deactivate') return deactivateUser(request, userId)
  if (input.action === 'reactivate') return void (await reactivateUser(request, userId))
  const role = ROLE_NAMES.map(([one]) => one).find((one) => String(one) === input.role)
  if (input.action !== 'role' || role === undefined)
    throw new AppError('BAD_REQUEST', { message: 'Choose a role' })
  await changeRole(request, userId, { role, shownRole: Number(input.shown_role) })
}

async function showUser(
  request: PageRequest,
  visit: Visit,
  userId: string,
  form: UserForm = {},
): Promise<PageAnswer | RedirectAnswer> {
  const { realm, session, account } = visit
  const { context } = request
  if (account.role > Role.administrator) return new RedirectAnswer(ACCOUNT_PATH)
  const user = await findUser(request, visit, userId)
  if (!user) return noUserView(realm)
  const owner = { realmId: realm.realm_id, userId: user.id }
  const [sessions, tokens, seen] = await Promise.all([
    listSessions(context, owner),
    listShownTokens(context, user, account),
    findLastSeen(context, realm.realm_id, [user.id]),
  ])
  const seenAt = seen.get(user.id)
  return userView(realm, {
    ...{ user, tokens, form },
    protection: protectForms(request, realm, session),
    viewer: account,
    timeZone: knownTimeZone(account.timezone),
    proof: proofFor(request, realm, session),
    sessionCount: sessions.length,
    seenAt: seenAt === undefined ? null : new Date(seenAt * 1_000),
  })
}

/** A person of the organization, deactivated or not; null for bots too. */
async function findUser({ context }: PageRequest, { realm }: Visit, userId: string): Promise<Account | null> {
  const account = /^\d{1,10}$/.test(userId)
    ? await findAccount(context.prisma, realm.realm_id, Number(userId))
    : null
  return account && !account.isBot ? account : null
}

const pathOf = (userId: string): string => `${USERS_PATH}${encodeURIComponent(userId)}/`
