import { badRequest, domainEvents, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { publish } from '../kernel/publish.ts'
import { listSeenSteps, saveSeenSteps } from './onboarding-step.queries.ts'
import { parseOnboardingStep, remainingSteps } from './onboarding-steps.rules.ts'

/** Marks a one-time notice as read by the caller. Idempotent. Throws BAD_REQUEST. */
export const handleMarkOnboardingStep: Handler<typeof endpoints.users.markOnboardingStep, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  if (caller.isBot) throw badRequest('Bots have no onboarding steps')
  const step = parseOnboardingStep(input.onboarding_step)
  await context.transact(async (tx) => {
    const { id, realmId } = await lockOwnAccount(tx, caller)
    const before = await listSeenSteps(tx, id)
    if (before.includes(step)) return
    const seen = [...before, step]
    await saveSeenSteps(tx, id, seen)
    await publish(
      tx,
      domainEvents.users.onboardingStepsChanged,
      { user_id: id, onboarding_steps: remainingSteps(seen) },
      { realmId, requestId },
    )
  })
  return {}
}
