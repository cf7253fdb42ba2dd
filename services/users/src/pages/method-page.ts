import { AppError, type endpoints, internal, Role } from '@tms/contracts'
import { type Handler, RedirectAnswer } from '@tms/service-kit'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { findRefusal, visitOf, visitOfForm } from './account-visit.ts'
import { METHOD_FIELD, SHOWN_FIELD, shownMethods } from './method-views.ts'
import { ACCOUNT_PATH } from './page-request.ts'
import { listMethods, showAccount } from './show-account.ts'

const ONLY_OWNERS = { methodsForm: { wrong: 'Only owners switch them.' } }
const CHANGED = 'They were changed since this page was shown. This is how they are now.'

/** Switches all methods that the installation offers to what the form says; those that aren't checked are off. */
export const handleSubmitMethodsForm: Handler<
  typeof endpoints.users.submitMethodsForm,
  DirectoryContext
> = async (request) => {
  const visit = await visitOfForm(request)
  if (!('session' in visit)) return visit
  const { realm, account } = visit
  const { context, otherParameters, requestId } = request
  if (account.role > Role.owner) return showAccount(request, visit, ONLY_OWNERS)
  const refusal = await findRefusal(request, visit)
  if (refusal) {
    const { wrong, ...more } = refusal
    return showAccount(request, visit, { ...more, methodsForm: { wrongPassword: wrong } })
  }
  // Proving who one is takes time, in which another owner may have taken the role away or switched methods.
  const present = await visitOf(request)
  if (present instanceof RedirectAnswer) return present
  if (present.account.role > Role.owner) return showAccount(request, present, ONLY_OWNERS)
  const methods = listMethods(context, present.realm)
  if (otherParameters[SHOWN_FIELD] !== shownMethods(methods))
    return showAccount(request, present, { methodsForm: { wrong: CHANGED } })
  const wanted = methods.map(({ name }) => [name, otherParameters[METHOD_FIELD + name] !== undefined])
  const settings = { authentication_methods: JSON.stringify(Object.fromEntries(wanted)) }
  try {
    await context.call(
      internal.realm.changeRealmSettings,
      { realm_id: realm.realm_id, settings },
      { requestId },
    )
  } catch (err) {
    if (!(err instanceof AppError) || err.status >= 500) throw err
    return showAccount(request, visit, { methodsForm: { wrong: err.message } })
  }
  return new RedirectAnswer(`${ACCOUNT_PATH}#methods`)
}
