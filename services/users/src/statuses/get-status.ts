import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { canBeId } from '../kernel/database/column-limits.ts'
import { canSeeUser } from '../kernel/guest-visibility/user-visibility.ts'
import { findStatus } from './status.queries.ts'
import { showStatus } from './status.rules.ts'

/** Throws BAD_REQUEST for an unknown or invisible user. */
export const handleGetStatus: Handler<typeof endpoints.users.getStatus, Context> = async ({
  input: { user_id },
  caller,
  context,
}) => {
  const found = canBeId(user_id) ? await findStatus(context.db, caller.realmId, user_id) : null
  if (!found || !(await canSeeUser(context.db, caller, found))) throw badRequest('No such user')
  return { status: showStatus(found.status, found.showsPresence) }
}
