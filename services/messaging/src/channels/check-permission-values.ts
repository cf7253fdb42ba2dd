import {
  type ChannelPermissionValues,
  channelPermissionNames,
  customGroupsOf,
  groupSettingsToCheck,
} from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import type { RequestedUpdate } from './channel-update.rules.ts'

/**
 * Throws BAD_REQUEST if the permissions in a request name users or groups that the organization doesn't have. Asks users
 * only if they name any: under the lock of channel grants, since the deactivation of a group first makes users refuse it here, and
 * then waits for that lock.
 */
export async function checkPermissionValues(
  { checkGroupSettings }: Pick<Context, 'checkGroupSettings'>,
  { realmId }: Pick<Caller, 'realmId'>,
  requested: RequestedUpdate,
): Promise<void> {
  const values = groupSettingsToCheck(channelPermissionNames, requested)
  if (values.length > 0) await checkGroupSettings(realmId, values)
}

/** The same for permissions that are checked already, but for the groups that they name. Needs the lock of channel grants. */
export async function checkGroupsStillActive(
  { checkGroupSettings }: Pick<Context, 'checkGroupSettings'>,
  { realmId }: Pick<Caller, 'realmId'>,
  permissions: ChannelPermissionValues,
): Promise<void> {
  const groups = channelPermissionNames.map((name) => customGroupsOf(permissions[name]))
  const values = groups
    .filter(({ length }) => length > 0)
    .map((direct_subgroups) => ({ direct_members: [], direct_subgroups }))
  if (values.length > 0) await checkGroupSettings(realmId, values)
}
