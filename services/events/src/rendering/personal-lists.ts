import { domainEvents } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

/** `alert_words`: the whole list, to its owner. */
export const presentAlertWordsUpdated = present(domainEvents.users.alertWordsUpdated, {
  list: () => [{ index: 0, type: 'alert_words' }],
  write: ({ alert_words }) => fieldsOf({ type: 'alert_words', alert_words }),
})

/** `onboarding_steps`: all remaining ones, to their user. */
export const presentOnboardingStepsChanged = present(domainEvents.users.onboardingStepsChanged, {
  list: () => [{ index: 0, type: 'onboarding_steps' }],
  write: ({ onboarding_steps }) => fieldsOf({ type: 'onboarding_steps', onboarding_steps }),
})

/** `muted_users`: the whole list, to the user who muted them. */
export const presentMutedUsersUpdated = present(domainEvents.users.mutedUsersUpdated, {
  list: () => [{ index: 0, type: 'muted_users' }],
  write: ({ muted_users }) => fieldsOf({ type: 'muted_users', muted_users }),
})

/** `invites_changed`: a hint to fetch the list again, to administrators and the owners of the changed invitations. */
export const presentInvitationsChanged = present(domainEvents.users.invitationsChanged, {
  list: () => [{ index: 0, type: 'invites_changed' }],
  write: () => fieldsOf({ type: 'invites_changed' }),
})
