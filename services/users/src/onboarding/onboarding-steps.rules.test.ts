import { oneTimeNotices } from '@tms/contracts'
import { expect, test } from 'vitest'
import { parseOnboardingStep, remainingSteps } from './onboarding-steps.rules.ts'

test('remaining steps are those that were not read', () => {
  const [first, ...others] = oneTimeNotices

  expect(remainingSteps([]).map(({ name }) => name)).toEqual([...oneTimeNotices])
  expect(remainingSteps([first, 'one of another release']).map(({ name }) => name)).toEqual(others)
})

test('refuses an unknown notice', () => {
  expect(parseOnboardingStep('intro_inbox_view_modal')).toBe('intro_inbox_view_modal')
  expect(() => parseOnboardingStep('constructor')).toThrow('Unknown onboarding_step: constructor')
})
