import type { endpoints } from '@tms/contracts'
import { deadLinkPage, type Handler, html, pageOf } from '@tms/service-kit'
import { completeEmailChange } from '../email-changes/complete-email-change.ts'
import type { Context } from '../kernel/context.ts'
import { realmOf } from './page-request.ts'

/** Opening the link confirms the change of address (API document, "Update settings"). */
export const handleConfirmNewEmailPage: Handler<typeof endpoints.users.confirmNewEmailPage, Context> = async (
  request,
) => {
  const { context, requestId, input } = request
  const realm = await realmOf(request)
  const outcome = await completeEmailChange({ key: input.key, realm, context, requestId })
  switch (outcome.kind) {
    case 'changed':
      return pageOf(realm, {
        title: 'Your new address is confirmed',
        body: html`<p class="done" role="status"><strong>${outcome.newEmail}</strong> is the address of your account now.</p><p>Log in with it from now on. We have informed your old address.</p>`,
      })
    case 'taken':
      return pageOf(realm, {
        status: 409,
        title: 'This address is taken',
        body: html`<p role="status">Another account in ${realm.name} has <strong>${outcome.newEmail}</strong> by now, so yours keeps its address.</p>`,
      })
    case 'refused':
      return pageOf(realm, {
        status: 403,
        title: 'Your address can’t be changed now',
        body: html`<p role="status">${outcome.reason}</p>`,
      })
    case 'invalid':
      return deadLinkPage(realm, 'Change your address once more in the settings to get a new one.')
  }
}
