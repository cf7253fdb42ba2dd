import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalText, pathText } from '../../declarations/parameter.ts'

/** Pages that mails and invitation links open. Missing or wrong input is reported on the page. */
const page = { owner: 'users', prefix: '', auth: 'public', answer: 'page', response: z.object({}) } as const
const keyParameter = { key: pathText }
const field = optionalText(z.string())

export const showOpenJoinPage = endpoint({
  ...page,
  name: 'showOpenJoinPage',
  method: 'GET',
  path: '/join',
  summary: 'Page on which anyone can join an organization that is open to everyone',
})

export const submitOpenJoinPage = endpoint({
  ...page,
  name: 'submitOpenJoinPage',
  method: 'POST',
  path: '/join',
  summary: 'Sends a confirmation mail to the address of a person who joins without an invitation',
  parameters: { email: field },
})

export const showJoinPage = endpoint({
  ...page,
  name: 'showJoinPage',
  method: 'GET',
  path: '/join/{key}',
  summary: 'Page of a reusable invitation link, which asks for an e-mail address',
  pathParameters: keyParameter,
})

export const submitJoinPage = endpoint({
  ...page,
  name: 'submitJoinPage',
  method: 'POST',
  path: '/join/{key}',
  summary: 'Sends a confirmation mail to the address of a person who joins by a link',
  pathParameters: keyParameter,
  parameters: { email: field },
})

export const showSignUpPage = endpoint({
  ...page,
  name: 'showSignUpPage',
  method: 'GET',
  path: '/accounts/do_confirm/{key}',
  summary: 'Page that a mailed invitation or confirmation opens: name and password',
  pathParameters: keyParameter,
})

export const submitSignUpPage = endpoint({
  ...page,
  name: 'submitSignUpPage',
  method: 'POST',
  path: '/accounts/register',
  summary: 'Creates the account of an invited person',
  parameters: {
    key: field,
    full_name: field,
    password: field,
    timezone: field,
    email_address_visibility: field,
  },
})

export const showPasswordResetPage = endpoint({
  ...page,
  name: 'showPasswordResetPage',
  method: 'GET',
  path: '/accounts/password/reset',
  summary: 'Page that asks for the address of an account with a forgotten password',
})

export const submitPasswordResetPage = endpoint({
  ...page,
  name: 'submitPasswordResetPage',
  method: 'POST',
  path: '/accounts/password/reset',
  summary: 'Mails a link for setting a new password',
  parameters: { email: field },
})

export const showNewPasswordPage = endpoint({
  ...page,
  name: 'showNewPasswordPage',
  method: 'GET',
  path: '/accounts/password/reset/{key}',
  summary: 'Page that asks for a new password',
  pathParameters: keyParameter,
})

export const submitNewPasswordPage = endpoint({
  ...page,
  name: 'submitNewPasswordPage',
  method: 'POST',
  path: '/accounts/password/reset/{key}',
  summary: 'Sets a new password',
  pathParameters: keyParameter,
  parameters: { password: field },
})

/** Mails link it. Only POST turns anything off: programs that check mails open their links. */
export const showUnsubscribePage = endpoint({
  ...page,
  name: 'showUnsubscribePage',
  method: 'GET',
  path: '/accounts/unsubscribe/{type}/{key}',
  summary: 'Page on which the owner of an account turns off a kind of mail without signing in',
  pathParameters: { type: pathText, ...keyParameter },
})

export const submitUnsubscribePage = endpoint({
  ...page,
  name: 'submitUnsubscribePage',
  method: 'POST',
  path: '/accounts/unsubscribe/{type}/{key}',
  summary: 'Turns off a kind of mail; mail programs do so with one click (RFC 8058)',
  pathParameters: { type: pathText, ...keyParameter },
})

export const confirmNewEmailPage = endpoint({
  ...page,
  name: 'confirmNewEmailPage',
  method: 'GET',
  path: '/accounts/confirm_new_email/{key}',
  summary: 'Completes the change of an e-mail address',
  pathParameters: keyParameter,
})
