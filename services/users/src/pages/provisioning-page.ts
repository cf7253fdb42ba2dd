import { type endpoints, Role } from '@tms/contracts'
import { type Handler, RedirectAnswer } from '@tms/service-kit'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { deleteToken } from '../scim/scim-token.queries.ts'
import { replaceToken } from '../scim/scim-token.ts'
import { isOwnForm } from '../sessions/own-forms.ts'
import { findRefusal, visitOf } from './account-visit.ts'
import { foreignFormView } from './log-in-views.ts'
import { ACCOUNT_PATH } from './page-request.ts'
import { provisioningTokenView } from './provisioning-views.ts'
import { showAccount } from './show-account.ts'

/** Makes, replaces or revokes the organization's provisioning token, for owners who have proved who they are. */
export const handleSubmitProvisioningForm: Handler<
  typeof endpoints.users.submitProvisioningForm,
  DirectoryContext
> = async (request) => {
  const visit = await visitOf(request)
  if (visit instanceof RedirectAnswer) return visit
  const { realm, session, account } = visit
  const { context, input } = request
  if (!isOwnForm(request, realm, session, input.csrfmiddlewaretoken))
    return foreignFormView(realm, { href: ACCOUNT_PATH })
  // The page offers others no such form.
  if (account.role > Role.owner) return showAccount(request, visit)
  const refusal = await findRefusal(request, visit)
  if (refusal) {
    const { wrong, ...more } = refusal
    return showAccount(request, visit, { ...more, provisioningForm: { wrongPassword: wrong } })
  }
  if (input.action === 'make') {
    const { scim_token: token, scim_url: url } = await replaceToken(context, realm.realm_id, account.id)
    return provisioningTokenView(realm, { token, url })
  }
  if (input.action === 'revoke') await deleteToken(context.db, realm.realm_id)
  return new RedirectAnswer(`${ACCOUNT_PATH}#provisioning`)
}
