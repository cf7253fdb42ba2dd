import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { findPerson, findPersonByEmail, type Person } from '../accounts/account.queries.ts'
import { foldEmail } from '../accounts/email-address.rules.ts'
import type { Context } from '../context.ts'
import { canSee } from '../guest-visibility/sight.ts'
import { isKept, reportedPresenceOf } from './presence.rules.ts'

/**
 * One person's presence. Throws BAD_REQUEST for nobody, bots, deactivated people, whom the caller doesn't see, and who
 * wasn't here in two weeks; SERVICE_UNAVAILABLE while Redis is away.
 */
export const handleGetUserPresence: Handler<typeof endpoints.users.getUserPresence, Context> = async ({
  input: { user_id_or_email: asked },
  caller,
  context,
}) => {
  const person = await findByIdOrEmail(context, caller.realmId, asked)
  if (!person?.isActive || !(await canSee(context.db, caller, person))) throw badRequest('No such user')
  if (person.isBot) throw badRequest('Presence is not supported for bot users.')
  const seen = await context.presence.find(caller.realmId, person.id)
  const now = context.now().getTime() / 1000
  if (!seen || !isKept(seen, now)) throw badRequest(`No presence data for ${asked}`)
  return { presence: reportedPresenceOf(seen, now) }
}

function findByIdOrEmail({ prisma }: Context, realmId: number, asked: string): Promise<Person | null> {
  return /^\d+$/.test(asked)
    ? findPerson(prisma, realmId, Number(asked))
    : findPersonByEmail(prisma, realmId, foldEmail(asked))
}
