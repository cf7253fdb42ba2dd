import type { endpoints } from '@tms/contracts'
import { type Caller, type Handler, RedirectAnswer } from '@tms/service-kit'
import { type AvatarSize, avatarUrlOf, gravatarUrlOf } from '../kernel/accounts/avatar.ts'
import { findAccountByIdOrEmail } from '../kernel/accounts/find-account-by-id-or-email.ts'
import { foldEmail } from '../kernel/addresses/email-address.rules.ts'
import type { Context } from '../kernel/context.ts'
import { canSeeUser } from '../kernel/guest-visibility/user-visibility.ts'

/** Version of a gravatar that doesn't belong to an account. */
const FIRST_VERSION = 1

/**
 * Redirects to the avatar of a user of the caller's organization. For unknown and invisible users it redirects to the
 * gravatar of the requested text.
 */
export const handleFindAvatar: Handler<typeof endpoints.users.findAvatar, Context> = ({
  input,
  caller,
  context,
}) => sendToAvatar(context, caller, input.id_or_email, 'normal')

/** The same for the larger size. */
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
  const account = await findAccountByIdOrEmail(context.prisma, caller.realmId, idOrEmail)
  const isVisible = account !== null && (await canSeeUser(context.db, caller, account))
  return new RedirectAnswer(
    isVisible ? avatarUrlOf(account, size) : gravatarUrlOf(foldEmail(idOrEmail), FIRST_VERSION, size),
  )
}
