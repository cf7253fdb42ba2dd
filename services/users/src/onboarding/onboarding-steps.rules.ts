import { badRequest, type OnboardingStep, type OneTimeNotice, oneTimeNotices } from '@tms/contracts'

/** Throws BAD_REQUEST for an unknown name. */
export function parseOnboardingStep(name: string): OneTimeNotice {
  const found = oneTimeNotices.find((notice) => notice === name)
  if (found === undefined) throw badRequest(`Unknown onboarding_step: ${name}`)
  return found
}

/** Steps that the user hasn't read. */
export function remainingSteps(seen: readonly string[]): OnboardingStep[] {
  return oneTimeNotices
    .filter((name) => !seen.includes(name))
    .map((name) => ({ type: 'one_time_notice', name }))
}
