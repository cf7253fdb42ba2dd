import { channelPermissionNames, groupSettingsToCheck } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { RequestedUpdate } from './channel-update.rules.ts'

/**
 * Throws BAD_REQUEST if the permissions in a request name users or groups that the organization doesn't have. Asks users
 * only if they name any.
 */
export async function checkPermissionValues(
  { checkGroupSettings }: Pick<Context, 'checkGroupSettings'>,
  { realmId }: Pick<Caller, 'realmId'>,
  requested: RequestedUpdate,
): Promise<void> {
  const values = groupSettingsToCheck(channelPermissionNames, requested)
  if (values.length > 0) await checkGroupSettings(realmId, values)
}
