import { EmailVisibility, type endpoints } from '@tms/contracts'
import { deadLinkPage, type Handler } from '@tms/service-kit'
import type { DirectoryContext } from '../directory/directory-context.ts'
import { externalMethods, storesPasswords } from '../kernel/sign-on/methods-of.ts'
import { findInvitation } from '../sign-up/find-invitation.ts'
import { signUp } from '../sign-up/sign-up.ts'
import type { SignUpForm } from '../sign-up/sign-up-outcome.ts'
import { REQUEST_NEW_INVITATION } from './join-pages.ts'
import { realmOf } from './page-request.ts'
import { joinBySigningInView, joinedView, signUpView } from './sign-up-views.ts'

type Pages = typeof endpoints.users

/** The page of a mailed link. Opening it doesn't use the key: mail scanners open links too. */
export const handleShowSignUpPage: Handler<Pages['showSignUpPage'], DirectoryContext> = async (request) => {
  const { context, input } = request
  const realm = await realmOf(request)
  if (!storesPasswords(context, realm))
    return joinBySigningInView(realm, { external: externalMethods(context, realm), key: null })
  const invitation = await findInvitation(context, realm, input.key)
  if (invitation.kind === 'invalid' || invitation.kind === 'link')
    return deadLinkPage(realm, REQUEST_NEW_INVITATION)
  return signUpView(realm, { key: input.key, email: invitation.email })
}

export const handleSubmitSignUpPage: Handler<Pages['submitSignUpPage'], DirectoryContext> = async (
  request,
) => {
  const { context, input, requestId } = request
  const realm = await realmOf(request)
  if (!storesPasswords(context, realm))
    return joinBySigningInView(realm, { external: externalMethods(context, realm), key: null })
  const { key = '', full_name: fullName = '' } = input
  const invitation = await findInvitation(context, realm, key)
  if (invitation.kind === 'invalid' || invitation.kind === 'link')
    return deadLinkPage(realm, REQUEST_NEW_INVITATION)
  const { email } = invitation
  const outcome = await signUp(context, realm, key, formOf(input), requestId)
  switch (outcome.kind) {
    case 'joined':
      return joinedView(realm, { fullName, email })
    case 'refused': {
      const { field, message } = outcome
      return signUpView(realm, {
        key,
        email,
        fullName,
        wrong: { [field === 'email' ? 'form' : field]: message },
      })
    }
    case 'invalid':
      return deadLinkPage(realm, REQUEST_NEW_INVITATION)
  }
}

const visibilities: readonly number[] = Object.values(EmailVisibility)

function formOf(input: {
  full_name?: string | undefined
  password?: string | undefined
  timezone?: string | undefined
  email_address_visibility?: string | undefined
}): SignUpForm {
  const visibility = Number(input.email_address_visibility)
  return {
    full_name: input.full_name ?? '',
    password: input.password ?? '',
    ...(input.timezone && { timezone: input.timezone }),
    ...(visibilities.includes(visibility) && {
      email_address_visibility: visibility as NonNullable<SignUpForm['email_address_visibility']>,
    }),
  }
}
