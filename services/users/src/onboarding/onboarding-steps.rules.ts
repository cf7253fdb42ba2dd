import { badRequest, type OnboardingStep, type OneTimeNotice, oneTimeNotices } from '@tms/contracts'

/** Throws BAD_REQUEST for a name that no notice has. */
export function parseOnboardingStep(name: string): OneTimeNotice {
  const found = oneTimeNotices.find((notice) => notice === name)
  if (found === undefined) throw badRequest(`Unknown onboarding_step: ${name}`)
  return found
}

/** The steps that are left for someone who has read some. */
export function remainingSteps(seen: readonly string[]): OnboardingStep[] {
  return oneTimeNotices
    .filter((name) => !seen.includes(name))
    .map((name) => ({ type: 'one_time_notice', name }))
}
