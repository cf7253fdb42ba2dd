import type { internal } from '@tms/contracts'
import type { InternalHandler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { canBeId } from '../kernel/database/column-limits.ts'
import { listDeactivatedAmong } from './group.queries.ts'

/** Which of these users of an organization are deactivated. */
export const handleListDeactivatedUsers: InternalHandler<
  typeof internal.users.listDeactivatedUsers,
  Context
> = async ({ realm_id, user_ids }, { db }) => ({
  user_ids: await listDeactivatedAmong(db, realm_id, user_ids.filter(canBeId)),
})
