import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { completeEmailChange } from './complete-email-change.ts'

/** Makes the change of address that a mailed key stands for. */
export const handleCompleteEmailChange: InternalHandler<
  typeof internal.users.completeEmailChange,
  Context
> = async ({ key }, context, requestId) => {
  const outcome = await completeEmailChange({ key, context, requestId })
  switch (outcome.kind) {
    case 'changed':
    case 'taken':
      return { kind: outcome.kind, new_email: outcome.newEmail }
    case 'refused':
      return { kind: outcome.kind, reason: outcome.reason }
    case 'invalid':
      return { kind: outcome.kind }
  }
}
