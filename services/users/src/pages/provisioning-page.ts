import { type endpoints, Role } from '@tms/contracts'
import { type Handler, RedirectAnswer } from '@tms/service-kit'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { lockAccount } from '../kernel/accounts/account.queries.ts'
import { replaceToken, revokeToken } from '../scim/scim-token.ts'
import { findRefusal, visitOf, visitOfForm } from './account-visit.ts'
import { ACCOUNT_PATH } from './page-request.ts'
import { provisioningTokenView } from './provisioning-views.ts'
import { showAccount } from './show-account.ts'

const DONE_PATH = `${ACCOUNT_PATH}#provisioning`

/** Makes, replaces or revokes the organization's provisioning token, for owners who have proved who they are. */
export const handleSubmitProvisioningForm: Handler<
  typeof endpoints.users.submitProvisioningForm,
  DirectoryContext
> = async (request) => {
  const visit = await visitOfForm(request)
  if (!('session' in visit)) return visit
  const { realm, account } = visit
  const { context, input, requestId } = request
  // The page offers others no such form.
  if (account.role > Role.owner) return showAccount(request, visit)
  const refusal = await findRefusal(request, visit)
  if (refusal) {
    const { wrong, ...more } = refusal
    return showAccount(request, visit, { ...more, provisioningForm: { wrongPassword: wrong } })
  }
  const { action } = input
  const isMake = action === 'make'
  if (!isMake && action !== 'revoke') return new RedirectAnswer(DONE_PATH)
  const outcome = await context.transact(async (tx) => {
    // Proving who one is takes time, in which another owner may have taken the role away.
    const present = await lockAccount(tx, realm.realm_id, account.id)
    if (!present?.isActive || present.role > Role.owner) return 'no owner'
    if (isMake) return replaceToken(context, tx, { realmId: realm.realm_id, requestId }, account.id)
    await revokeToken(tx, { realmId: realm.realm_id, requestId })
    return 'revoked'
  })
  if (outcome === 'revoked') return new RedirectAnswer(DONE_PATH)
  if (outcome !== 'no owner')
    return provisioningTokenView(realm, { token: outcome.scim_token, url: outcome.scim_url })
  const present = await visitOf(request)
  return present instanceof RedirectAnswer ? present : showAccount(request, present)
}
