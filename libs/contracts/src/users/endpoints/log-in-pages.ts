import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalText } from '../../declarations/parameter.ts'

/** Pages of people who sign in with a browser. Missing or wrong input is reported on the page. */
const page = {
  owner: 'users',
  prefix: '',
  auth: 'public',
  answer: 'page',
  takesCookies: true,
  response: z.object({}),
} as const
const field = optionalText(z.string())
/** Shown by the page, beside where it leads to. */
const notices = {
  next: field,
  email: field,
  already_registered: field,
  is_deactivated: field,
  preview: field,
}
/** What its form sends. */
const form = { username: field, password: field, next: field, csrfmiddlewaretoken: field }

export const showLogInPage = endpoint({
  ...page,
  name: 'showLogInPage',
  method: 'GET',
  path: '/login',
  summary: 'Page on which users sign in with a browser',
  parameters: notices,
})

export const submitLogInPage = endpoint({
  ...page,
  name: 'submitLogInPage',
  method: 'POST',
  path: '/login',
  summary: 'Signs a user in by user name and password',
  parameters: form,
})

export const showAccountsLogInPage = endpoint({
  ...page,
  name: 'showAccountsLogInPage',
  method: 'GET',
  path: '/accounts/login',
  summary: 'The log-in page, at its other address',
  parameters: notices,
})

export const submitAccountsLogInPage = endpoint({
  ...page,
  name: 'submitAccountsLogInPage',
  method: 'POST',
  path: '/accounts/login',
  summary: 'Signs a user in by user name and password',
  parameters: form,
})

export const submitLogOutPage = endpoint({
  ...page,
  name: 'submitLogOutPage',
  method: 'POST',
  path: '/accounts/logout',
  summary: 'Ends the session of the browser, or all sessions of its user',
  parameters: { everywhere: field, csrfmiddlewaretoken: field },
})

export const showDeactivatedPage = endpoint({
  ...page,
  takesCookies: false,
  name: 'showDeactivatedPage',
  method: 'GET',
  path: '/accounts/deactivated',
  summary: 'Says that the organization is deactivated',
})
