import { badRequest, type internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { isGroupUsed } from './group-use.queries.ts'

/**
 * Throws BAD_REQUEST if a permission on a channel names the group. It doesn't name the channel, which the caller may not
 * see.
 */
export const handleCheckGroupIsUnused: InternalHandler<
  typeof internal.messaging.checkGroupIsUnused,
  Context
> = async ({ realm_id, group_id }, { db }) => {
  if (await isGroupUsed(db, realm_id, group_id))
    throw badRequest('The group has a permission on a channel: change that permission first')
  return {}
}
