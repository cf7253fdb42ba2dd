import type { endpoints } from '@tms/contracts'
import { deadLinkPage, type Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { storesPasswords } from '../kernel/sign-on/methods-of.ts'
import { findPasswordReset } from '../password-reset/find-password-reset.ts'
import { requestPasswordReset } from '../password-reset/request-password-reset.ts'
import { resetPassword } from '../password-reset/reset-password.ts'
import { ipOf, realmOf, tooManyMails } from './page-request.ts'
import {
  newPasswordView,
  noPasswordsView,
  passwordResetView,
  passwordSetView,
  resetSentView,
} from './password-views.ts'

type Pages = typeof endpoints.users

const REQUEST_NEW_RESET_LINK = 'Ask for another one on the page “Forgotten password”.'

export const handleShowPasswordResetPage: Handler<Pages['showPasswordResetPage'], Context> = async (
  request,
) => {
  const realm = await realmOf(request)
  return storesPasswords(request.context, realm) ? passwordResetView(realm) : noPasswordsView(realm)
}

export const handleSubmitPasswordResetPage: Handler<Pages['submitPasswordResetPage'], Context> = async (
  request,
) => {
  const realm = await realmOf(request)
  const { email = '' } = request.input
  const answer = await requestPasswordReset(request.context, realm, email, ipOf(request))
  switch (answer.kind) {
    case 'mailed':
      return resetSentView(realm, email)
    case 'refused':
      return passwordResetView(realm, { email, wrong: answer.message })
    case 'off':
      return noPasswordsView(realm)
    case 'too-many':
      return passwordResetView(realm, { email, wait: tooManyMails(answer.retryAfterSeconds) })
  }
}

/** The page of a mailed link. Opening it doesn't use the key. */
export const handleShowNewPasswordPage: Handler<Pages['showNewPasswordPage'], Context> = async (request) => {
  const realm = await realmOf(request)
  const { key } = request.input
  const found = await findPasswordReset(request.context, realm, key)
  return found ? newPasswordView(realm, key, found.email) : deadLinkPage(realm, REQUEST_NEW_RESET_LINK)
}

export const handleSubmitNewPasswordPage: Handler<Pages['submitNewPasswordPage'], Context> = async (
  request,
) => {
  const realm = await realmOf(request)
  const { context, requestId } = request
  const { key, password = '' } = request.input
  const found = await findPasswordReset(context, realm, key)
  if (!found) return deadLinkPage(realm, REQUEST_NEW_RESET_LINK)
  const outcome = await resetPassword(context, realm, key, password, requestId)
  switch (outcome.kind) {
    case 'changed':
      return passwordSetView(realm)
    case 'refused':
      return newPasswordView(realm, key, found.email, outcome.message)
    case 'invalid':
      return deadLinkPage(realm, REQUEST_NEW_RESET_LINK)
  }
}
