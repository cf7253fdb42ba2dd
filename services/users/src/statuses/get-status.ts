import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { canBeId } from '../accounts/account.queries.ts'
import type { Context } from '../context.ts'
import { canSee } from '../guest-visibility/sight.ts'
import { findStatus } from './status.queries.ts'
import { showStatus } from './status.rules.ts'

/** Throws BAD_REQUEST for an ID that nobody in the organization has whom the caller sees. */
export const handleGetStatus: Handler<typeof endpoints.users.getStatus, Context> = async ({
  input: { user_id },
  caller,
  context,
}) => {
  const found = canBeId(user_id) ? await findStatus(context.db, caller.realmId, user_id) : null
  if (!found || !(await canSee(context.db, caller, found))) throw badRequest('No such user')
  return { status: showStatus(found.status, found.showsPresence) }
}
