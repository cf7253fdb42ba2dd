import type { SamplesOf } from '../sample.ts'

const IN_REDIS = 'Sessions are in Redis and in the database alone; each request reads them there.'

export const logInPageSamples = {
  showLogInPage: { foreign: ({ email }) => [{ email, next: '/account/' }] },
  submitLogInPage: {
    foreign: ({ email: username }) => [{ username, password: 'a long and strange password 7' }],
    noConsistencyRow: IN_REDIS,
  },
  showAccountsLogInPage: { foreign: ({ email }) => [{ email, next: '/account/' }] },
  submitAccountsLogInPage: {
    foreign: ({ email: username }) => [{ username, password: 'a long and strange password 7' }],
    noConsistencyRow: IN_REDIS,
  },
  submitLogOutPage: { foreign: { everywhere: 'true' }, noConsistencyRow: IN_REDIS },
  submitApiKeyForm: {
    foreign: ({ email: username }) => [
      { username, password: 'a long and strange password 7', action: 'replace' },
    ],
    noConsistencyRow: 'Replaces the key by the use case by which the API does.',
  },
  submitTokensForm: {
    foreign: ({ email: username, apiToken: revoke }) => [
      { revoke },
      { username, password: 'a long and strange password 7', name: 'ours', read: 'true' },
    ],
    noConsistencyRow: 'Revokes tokens by the use case by which the API does.',
  },
  submitMethodsForm: {
    foreign: ({ email: username }) => [
      { username, password: 'a long and strange password 7', method_Email: 'true' },
    ],
    noConsistencyRow: 'Switches methods by the use case by which the API does.',
  },
  submitProvisioningForm: {
    foreign: ({ email: username }) => [
      { username, password: 'a long and strange password 7', action: 'revoke' },
    ],
    noConsistencyRow: 'Replaces the token by the use case by which the API does; nothing caches it.',
  },
  submitDevicesForm: {
    foreign: ({ device: remove }) => [{ remove }],
    noConsistencyRow: 'Removes devices by the use case by which the API does.',
  },
  submitSnoozeForm: {
    foreign: { minutes: '60' },
    noConsistencyRow: 'Changes settings as the API does.',
  },
  submitQuietHoursForm: {
    foreign: { enabled: 'true', start: '21:00', end: '07:00', from_monday: 'true' },
    noConsistencyRow: 'Changes settings as the API does.',
  },
  showUsersPage: { foreign: ({ email: search }) => [{ search }] },
  showUserPage: { foreign: ({ user }) => [{ user_id: user }] },
  submitUserForm: {
    foreign: ({ user, email: username, apiToken: revoke }) => [
      { user_id: user, action: 'end-sessions' },
      { user_id: user, revoke },
      { user_id: user, username, password: 'a long and strange password 7', action: 'deactivate' },
    ],
    noConsistencyRow: 'Changes users by the use cases by which the API does.',
  },
  submitSessionsForm: { foreign: { session: 'others' }, noConsistencyRow: IN_REDIS },
} satisfies SamplesOf<'users'>
