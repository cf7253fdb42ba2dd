import { badRequest, type ChannelPermissionValues } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { type Candidate, hasChannelPermission } from '../kernel/groups/permissions.ts'

/** Throws BAD_REQUEST unless each of these channels permits this user to add others. */
export async function checkMayAdd(
  db: Queryable,
  adder: Candidate,
  channels: readonly { readonly permissions: ChannelPermissionValues }[],
): Promise<void> {
  for (const channel of channels) {
    if (!(await hasChannelPermission(db, channel, 'can_add_subscribers_group', adder)))
      throw badRequest('Insufficient permission')
  }
}
