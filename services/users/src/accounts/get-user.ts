import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { canSee } from '../guest-visibility/sight.ts'
import { getRealm } from '../realms/get-realm.ts'
import { findPerson } from './account.queries.ts'
import { toUserWithActivity, viewFor } from './user-record.ts'

/**
 * Throws BAD_REQUEST for an ID that nobody in the organization has, its own actor, or someone whom the caller doesn't
 * see.
 */
export const handleGetUser: Handler<typeof endpoints.users.getUser, Context> = async ({
  input,
  caller,
  context,
}) => {
  const person = await findPerson(context.prisma, caller.realmId, input.user_id)
  const isKnown = person && !person.isSystemBot && (await canSee(context.db, caller, person))
  if (!isKnown) throw badRequest('No such user')
  const realm = await getRealm(context, caller.realmId)
  return { user: toUserWithActivity(person, viewFor(caller, input, realm)) }
}
