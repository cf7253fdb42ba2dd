import { availableMethods, knownTimeZone, Role } from '@tms/contracts'
import type { PageAnswer } from '@tms/service-kit'
import { methodsOf } from '../kernel/sign-on/methods-of.ts'
import { browserNameOf } from '../sessions/browser-name.rules.ts'
import { listSessions } from '../sessions/find-session.ts'
import { protectForms } from '../sessions/own-forms.ts'
import { type AccountView, accountView } from './account-views.ts'
import { type PageRequest, proofFor, type Visit } from './account-visit.ts'
import type { ShownMethod } from './method-views.ts'
import { findProvisioning } from './shown-provisioning.ts'
import { listShownTokens } from './shown-tokens.ts'

/** The page of the account of a visit, as it is now. */
export async function showAccount(
  request: PageRequest,
  { realm, session, account }: Visit,
  more: Partial<AccountView> = {},
): Promise<PageAnswer> {
  const { context } = request
  const [sessions, tokens, provisioning] = await Promise.all([
    listSessions(context, session),
    listShownTokens(context, account),
    account.role > Role.administrator ? null : findProvisioning(context, realm),
  ])
  return accountView(realm, {
    protection: protectForms(request, realm, session),
    fullName: account.fullName,
    email: account.deliveryEmail,
    timeZone: knownTimeZone(account.timezone),
    proof: proofFor(request, realm, session),
    sessions: sessions.map(({ idHash, userAgent, address, beganAt, usedAt }) => ({
      ...{ idHash, address, browser: browserNameOf(userAgent), isThis: idHash === session.idHash },
      ...{ beganAt: new Date(beganAt * 1_000), usedAt: new Date(usedAt * 1_000) },
    })),
    tokens,
    isOwner: account.role <= Role.owner,
    isAdministrator: account.role <= Role.administrator,
    provisioning,
    methods: account.role > Role.administrator ? null : listMethods(context, realm),
    ...more,
  })
}

/** The methods that the installation offers to the organization. */
export function listMethods(context: PageRequest['context'], realm: Visit['realm']): ShownMethod[] {
  const on = methodsOf(context, realm)
  return availableMethods(context.signOn, realm.string_id).map((name) => ({ name, isOn: on.includes(name) }))
}
