import type { endpoints, RealmProjection } from '@tms/contracts'
import { deadLinkPage, type Handler, type PageAnswer } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { externalMethods, storesPasswords } from '../kernel/sign-on/methods-of.ts'
import { findInvitation } from '../sign-up/find-invitation.ts'
import { requestConfirmation } from '../sign-up/request-confirmation.ts'
import { ipOf, realmOf, tooManyMails } from './page-request.ts'
import { checkInboxView, joinBySigningInView, joinView } from './sign-up-views.ts'

type Pages = typeof endpoints.users

export const REQUEST_NEW_INVITATION = 'Ask the person who invited you for a new one.'

/** The page of a reusable link. */
export const handleShowJoinPage: Handler<Pages['showJoinPage'], Context> = async (request) => {
  const { context, input } = request
  const realm = await realmOf(request)
  if (!storesPasswords(context, realm))
    return joinBySigningInView(realm, { external: externalMethods(context, realm), key: input.key })
  const { kind } = await findInvitation(context, realm, input.key)
  return kind === 'link' ? joinView(realm, { key: input.key }) : deadLinkPage(realm, REQUEST_NEW_INVITATION)
}

/** The page of an organization that is open to everyone. */
export const handleShowOpenJoinPage: Handler<Pages['showOpenJoinPage'], Context> = async (request) => {
  const realm = await realmOf(request)
  if (!storesPasswords(request.context, realm))
    return joinBySigningInView(realm, { external: externalMethods(request.context, realm), key: null })
  return realm.invite_required ? closedPage(realm) : joinView(realm, { key: null })
}

/** Mails a confirmation link to the address entered on the page of a reusable link. */
export const handleSubmitJoinPage: Handler<Pages['submitJoinPage'], Context> = (request) =>
  mailLink(request, request.input.key)

/** The same without an invitation. */
export const handleSubmitOpenJoinPage: Handler<Pages['submitOpenJoinPage'], Context> = (request) =>
  mailLink(request, null)

async function mailLink(
  request: Parameters<typeof realmOf>[0] & { readonly input: { readonly email?: string | undefined } },
  key: string | null,
): Promise<PageAnswer> {
  const realm = await realmOf(request)
  if (!storesPasswords(request.context, realm))
    return joinBySigningInView(realm, { external: externalMethods(request.context, realm), key })
  const email = request.input.email ?? ''
  const answer = await requestConfirmation(request.context, realm, key, email, ipOf(request))
  switch (answer.kind) {
    case 'mailed':
      return checkInboxView(realm, answer.email)
    case 'refused':
      return joinView(realm, { key, email, wrong: { email: answer.message } })
    case 'too-many':
      return joinView(realm, { key, email, wait: tooManyMails(answer.retryAfterSeconds) })
    case 'invalid':
      return key === null ? closedPage(realm) : deadLinkPage(realm, REQUEST_NEW_INVITATION)
  }
}

function closedPage(realm: RealmProjection): PageAnswer {
  return deadLinkPage(realm, `${realm.name} takes new members by invitation only. ${REQUEST_NEW_INVITATION}`)
}
