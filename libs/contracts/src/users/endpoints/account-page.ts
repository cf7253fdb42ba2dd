import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalText, pathText } from '../../declarations/parameter.ts'
import { browserPage } from '../browser-page.ts'

const field = optionalText(z.string())

export const showAccountPage = endpoint({
  ...browserPage,
  name: 'showAccountPage',
  method: 'GET',
  path: '/account',
  summary: "Page of the user's own account: API key, sessions, ways to log in",
})

export const submitApiKeyForm = endpoint({
  ...browserPage,
  name: 'submitApiKeyForm',
  method: 'POST',
  path: '/account/key',
  summary: 'Shows, downloads or replaces the API key, after the password was entered again',
  parameters: { action: field, username: field, password: field, csrfmiddlewaretoken: field },
})

export const submitTokensForm = endpoint({
  ...browserPage,
  name: 'submitTokensForm',
  method: 'POST',
  path: '/account/tokens',
  summary: 'Revokes an API token, or makes one and shows it, after the password was entered again',
  parameters: {
    revoke: field,
    name: field,
    read: field,
    send: field,
    administer: field,
    channels: field,
    days: field,
    username: field,
    password: field,
    csrfmiddlewaretoken: field,
  },
})

export const submitMethodsForm = endpoint({
  ...browserPage,
  name: 'submitMethodsForm',
  method: 'POST',
  path: '/account/methods',
  summary: 'Switches the ways to log in to the organization on and off, after the password was entered again',
  parameters: { username: field, password: field, csrfmiddlewaretoken: field },
  takesOtherParameters: true,
})

export const submitProvisioningForm = endpoint({
  ...browserPage,
  name: 'submitProvisioningForm',
  method: 'POST',
  path: '/account/provisioning',
  summary:
    "Makes, replaces or revokes the token of the organization's provisioning system, after the password was entered again",
  parameters: { action: field, username: field, password: field, csrfmiddlewaretoken: field },
})

export const submitSessionsForm = endpoint({
  ...browserPage,
  name: 'submitSessionsForm',
  method: 'POST',
  path: '/account/sessions',
  summary: 'Ends a session of the user, or all but this one',
  parameters: { session: field, csrfmiddlewaretoken: field },
})

export const showNotificationsPage = endpoint({
  ...browserPage,
  name: 'showNotificationsPage',
  method: 'GET',
  path: '/account/notifications',
  summary: "Page of the user's own devices, quiet hours and snooze",
})

export const submitDevicesForm = endpoint({
  ...browserPage,
  name: 'submitDevicesForm',
  method: 'POST',
  path: '/account/devices',
  summary: 'Removes a device of the user, which gets no more notifications',
  parameters: { remove: field, csrfmiddlewaretoken: field },
})

export const submitSnoozeForm = endpoint({
  ...browserPage,
  name: 'submitSnoozeForm',
  method: 'POST',
  path: '/account/snooze',
  summary: 'Begins quiet for some minutes, or ends it with 0',
  parameters: { minutes: field, csrfmiddlewaretoken: field },
})

export const submitQuietHoursForm = endpoint({
  ...browserPage,
  name: 'submitQuietHoursForm',
  method: 'POST',
  path: '/account/quiet_hours',
  summary: 'Changes quiet hours; a day whose field is there has quiet hours, or is quiet as a whole',
  parameters: {
    ...{ enabled: field, start: field, end: field, csrfmiddlewaretoken: field },
    ...{ from_monday: field, from_tuesday: field, from_wednesday: field, from_thursday: field },
    ...{ from_friday: field, from_saturday: field, from_sunday: field },
    ...{ whole_monday: field, whole_tuesday: field, whole_wednesday: field, whole_thursday: field },
    ...{ whole_friday: field, whole_saturday: field, whole_sunday: field },
  },
})

export const showUsersPage = endpoint({
  ...browserPage,
  name: 'showUsersPage',
  method: 'GET',
  path: '/account/users',
  summary: "Page of the organization's users, for administrators",
  parameters: { search: field, show: field, after: field },
})

export const showUserPage = endpoint({
  ...browserPage,
  name: 'showUserPage',
  method: 'GET',
  path: '/account/users/{user_id}',
  summary: 'Page of a user, for administrators: role, sessions, API tokens',
  pathParameters: { user_id: pathText },
})

export const submitUserForm = endpoint({
  ...browserPage,
  name: 'submitUserForm',
  method: 'POST',
  path: '/account/users/{user_id}',
  summary:
    "Ends a user's sessions or an API token; changes the role, deactivates or reactivates the user after the administrator's password was entered again",
  pathParameters: { user_id: pathText },
  parameters: {
    action: field,
    revoke: field,
    role: field,
    shown_role: field,
    username: field,
    password: field,
    csrfmiddlewaretoken: field,
  },
})
