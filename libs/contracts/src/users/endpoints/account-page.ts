import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalText } from '../../declarations/parameter.ts'

/** The account page, behind a session. Missing or wrong input is reported on the page. */
const page = {
  owner: 'users',
  prefix: '',
  auth: 'public',
  answer: 'page',
  takesCookies: true,
  response: z.object({}),
} as const
const field = optionalText(z.string())

export const showAccountPage = endpoint({
  ...page,
  name: 'showAccountPage',
  method: 'GET',
  path: '/account',
  summary: "Page of the user's own account: API key, sessions, ways to log in",
})

export const submitApiKeyForm = endpoint({
  ...page,
  name: 'submitApiKeyForm',
  method: 'POST',
  path: '/account/key',
  summary: 'Shows, downloads or replaces the API key, after the password was entered again',
  parameters: { action: field, username: field, password: field, csrfmiddlewaretoken: field },
})

export const submitSessionsForm = endpoint({
  ...page,
  name: 'submitSessionsForm',
  method: 'POST',
  path: '/account/sessions',
  summary: 'Ends a session of the user, or all but this one',
  parameters: { session: field, csrfmiddlewaretoken: field },
})
