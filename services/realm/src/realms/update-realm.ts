import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { CallContext } from '../calls/call-context.ts'
import { changeSettings } from './change-settings.ts'
import { checkMayChange } from './setting-input.rules.ts'

/** Clients get back which ones they sent. */
const METHODS = 'authentication_methods'

/**
 * Changes settings of the organization, all or none; returns the changed ones. Throws UNAUTHORIZED_PRINCIPAL,
 * BAD_REQUEST, REQUEST_CONFUSING_VAR, REQUEST_VARIABLE_INVALID, EXPECTATION_MISMATCH or SYSTEM_GROUP_REQUIRED.
 */
export const handleUpdateRealm: Handler<typeof endpoints.realm.updateRealm, CallContext> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  checkMayChange(input, caller.role)
  const changes = await changeSettings(context, caller, input, requestId)
  if ('audit_log_retention_days' in changes) context.wakeAuditRetention()
  return Object.fromEntries(
    Object.entries(changes)
      .filter(([name]) => name in input)
      .map(([name, value]) => [name, name === METHODS ? input[METHODS] : describeValue(value)]),
  )
}

const describeValue = (value: unknown): unknown => (typeof value === 'string' ? 'updated' : value)
