import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { avatarUrlOf } from '../kernel/accounts/avatar.ts'
import { lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { removeAvatar } from './set-avatar.ts'
import { checkMayChangeAvatar } from './upload-own-avatar.ts'

/** Removes the caller's uploaded avatar, if there is one. Throws BAD_REQUEST. */
export const handleDeleteOwnAvatar: Handler<typeof endpoints.users.deleteOwnAvatar, Context> = async ({
  caller,
  context,
  requestId,
}) => {
  await checkMayChangeAvatar(context, caller)
  const account = await context.transact(async (tx) =>
    removeAvatar(tx, await lockOwnAccount(tx, caller), requestId),
  )
  return { avatar_url: avatarUrlOf(account) }
}
