import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalText } from '../../declarations/parameter.ts'
import { browserPage } from '../browser-page.ts'

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
  ...browserPage,
  name: 'showLogInPage',
  method: 'GET',
  path: '/login',
  summary: 'Page on which users sign in with a browser',
  parameters: notices,
})

export const submitLogInPage = endpoint({
  ...browserPage,
  name: 'submitLogInPage',
  method: 'POST',
  path: '/login',
  summary: 'Signs a user in by user name and password',
  parameters: form,
})

export const showAccountsLogInPage = endpoint({
  ...browserPage,
  name: 'showAccountsLogInPage',
  method: 'GET',
  path: '/accounts/login',
  summary: 'The log-in page, at its other address',
  parameters: notices,
})

export const submitAccountsLogInPage = endpoint({
  ...browserPage,
  name: 'submitAccountsLogInPage',
  method: 'POST',
  path: '/accounts/login',
  summary: 'Signs a user in by user name and password',
  parameters: form,
})

export const submitLogOutPage = endpoint({
  ...browserPage,
  name: 'submitLogOutPage',
  method: 'POST',
  path: '/accounts/logout',
  summary: 'Ends the session of the browser, or all sessions of its user',
  parameters: { everywhere: field, csrfmiddlewaretoken: field },
})

export const showDeactivatedPage = endpoint({
  ...browserPage,
  takesCookies: false,
  name: 'showDeactivatedPage',
  method: 'GET',
  path: '/accounts/deactivated',
  summary: 'Says that the organization is deactivated',
})
