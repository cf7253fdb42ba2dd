import type { endpoints } from '@tms/contracts'
import { type Caller, type Handler, RedirectAnswer } from '@tms/service-kit'
import { findPerson, findPersonByEmail, type Person } from '../accounts/account.queries.ts'
import { type AvatarSize, avatarUrlOf, gravatarUrlOf } from '../accounts/avatar.ts'
import { foldEmail } from '../accounts/email-address.rules.ts'
import type { Context } from '../context.ts'
import { canSee } from '../guest-visibility/sight.ts'

/** Of a picture that never changes. */
const FIRST_VERSION = 1

/**
 * Sends on to the avatar of a user of the caller's organization; that of nobody, or of someone whom the caller doesn't
 * see, is the gravatar of whatever was asked for.
 */
export const handleFindAvatar: Handler<typeof endpoints.users.findAvatar, Context> = ({
  input,
  caller,
  context,
}) => sendToAvatar(context, caller, input.id_or_email, 'normal')

/** The same of the larger picture. */
export const handleFindMediumAvatar: Handler<typeof endpoints.users.findMediumAvatar, Context> = ({
  input,
  caller,
  context,
}) => sendToAvatar(context, caller, input.id_or_email, 'medium')

async function sendToAvatar(
  context: Context,
  caller: Caller,
  idOrEmail: string,
  size: AvatarSize,
): Promise<RedirectAnswer> {
  const person = await findByIdOrEmail(context, caller.realmId, idOrEmail)
  const isSeen = person !== null && (await canSee(context.db, caller, person))
  return new RedirectAnswer(
    isSeen ? avatarUrlOf(person, size) : gravatarUrlOf(foldEmail(idOrEmail), FIRST_VERSION, size),
  )
}

function findByIdOrEmail(
  { prisma }: Pick<Context, 'prisma'>,
  realmId: number,
  idOrEmail: string,
): Promise<Person | null> {
  return /^\d+$/.test(idOrEmail)
    ? findPerson(prisma, realmId, Number(idOrEmail))
    : findPersonByEmail(prisma, realmId, foldEmail(idOrEmail))
}
