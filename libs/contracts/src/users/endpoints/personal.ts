import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { json, pathId, text } from '../../declarations/parameter.ts'
import { oneTimeNotices } from '../onboarding.ts'

const alertWordParameters = {
  alert_words: json(z.array(z.string()).max(limits.maxListLength), {
    description: `Each of at most ${limits.maxAlertWordLength} characters; case is ignored. You can have at most ${limits.maxAlertWords}, of ${limits.maxAlertWordCharacters} characters in all.`,
  }),
}
const alertWords = z.object({ alert_words: z.array(z.string()) })

export const listAlertWords = endpoint({
  name: 'listAlertWords',
  owner: 'users',
  method: 'GET',
  path: '/users/me/alert_words',
  auth: 'user',
  summary: 'List your alert words',
  response: alertWords,
})

export const addAlertWords = endpoint({
  name: 'addAlertWords',
  owner: 'users',
  method: 'POST',
  path: '/users/me/alert_words',
  auth: 'user',
  summary: 'Add alert words',
  parameters: alertWordParameters,
  response: alertWords,
})

export const removeAlertWords = endpoint({
  name: 'removeAlertWords',
  owner: 'users',
  method: 'DELETE',
  path: '/users/me/alert_words',
  auth: 'user',
  summary: 'Remove alert words',
  parameters: alertWordParameters,
  response: alertWords,
})

export const muteUser = endpoint({
  name: 'muteUser',
  owner: 'users',
  method: 'POST',
  path: '/users/me/muted_users/{muted_user_id}',
  auth: 'user',
  summary: 'Mute a user',
  pathParameters: { muted_user_id: pathId },
  response: z.object({}),
})

export const unmuteUser = endpoint({
  name: 'unmuteUser',
  owner: 'users',
  method: 'DELETE',
  path: '/users/me/muted_users/{muted_user_id}',
  auth: 'user',
  summary: 'Unmute a user',
  pathParameters: { muted_user_id: pathId },
  response: z.object({}),
})

export const markOnboardingStep = endpoint({
  name: 'markOnboardingStep',
  owner: 'users',
  method: 'POST',
  path: '/users/me/onboarding_steps',
  auth: 'user',
  summary: 'Mark a one-time notice as read',
  description: 'The unread ones are in `onboarding_steps`. Not for bots.',
  parameters: { onboarding_step: text(z.string(), { description: `One of ${oneTimeNotices.join(', ')}.` }) },
  response: z.object({}),
})

export const runCommand = endpoint({
  name: 'runCommand',
  owner: 'users',
  method: 'POST',
  path: '/zcommand',
  auth: 'user',
  summary: 'Run a slash command of a client',
  description:
    '`/ping` does nothing: clients measure its time. `/night`, `/dark`, `/day` and `/light` change `color_scheme`, `/fluid-width` and `/fixed-width` change `fluid_layout_width`, as `PATCH /settings` does.',
  parameters: { command: text(z.string()) },
  response: z.object({}),
})
