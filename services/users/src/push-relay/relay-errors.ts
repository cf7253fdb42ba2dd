import { AppError, badRequest } from '@tms/contracts'
import { PushRelayError } from '../kernel/pushes/push-relay.ts'

/**
 * The error for a caller whose request needs the push relay service: FAILED_TO_CONNECT_BOUNCER or
 * INTERNAL_SERVER_ERROR_ON_BOUNCER if another attempt may succeed; else what the service said.
 */
export function toAppError(err: unknown): unknown {
  if (!(err instanceof PushRelayError)) return err
  if (err.fault === 'unreachable') return new AppError('FAILED_TO_CONNECT_BOUNCER', { cause: err })
  // An operator has to act, and then another attempt succeeds.
  if (err.fault === 'failed' || err.fault === 'unregistered')
    return new AppError('INTERNAL_SERVER_ERROR_ON_BOUNCER', { cause: err })
  if (err.code === 'PUSH_NOTIFICATIONS_DISALLOWED' || err.code === 'INVALID_REMOTE_PUSH_DEVICE_TOKEN')
    return new AppError(err.code, { cause: err })
  return badRequest(err.message)
}
