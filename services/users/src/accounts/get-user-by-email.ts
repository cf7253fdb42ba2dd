import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { canSee } from '../guest-visibility/sight.ts'
import { getRealm } from '../realms/get-realm.ts'
import { findPersonByEmail } from './account.queries.ts'
import { foldEmail } from './email-address.rules.ts'
import { toUserWithActivity, viewFor } from './user-record.ts'

/** By API e-mail, whatever its case. Throws BAD_REQUEST for one that nobody has whom the caller sees. */
export const handleGetUserByEmail: Handler<typeof endpoints.users.getUserByEmail, Context> = async ({
  input,
  caller,
  context,
}) => {
  const person = await findPersonByEmail(context.prisma, caller.realmId, foldEmail(input.email))
  const isKnown = person && !person.isSystemBot && (await canSee(context.db, caller, person))
  if (!isKnown) throw badRequest('No such user')
  const realm = await getRealm(context, caller.realmId)
  return { user: toUserWithActivity(person, viewFor(caller, input, realm)) }
}
