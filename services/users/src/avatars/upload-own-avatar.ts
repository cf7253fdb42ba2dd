import { badRequest, type endpoints, Role } from '@tms/contracts'
import { readPicture } from '@tms/pictures'
import type { Caller, Handler } from '@tms/service-kit'
import { avatarUrlOf } from '../kernel/accounts/avatar.ts'
import { lockOwnAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { makeAvatarPicture } from './avatar-picture.ts'
import { setAvatar, storeAvatar } from './set-avatar.ts'

/** Makes the uploaded picture the caller's avatar. Throws BAD_REQUEST or BAD_IMAGE. */
export const handleUploadOwnAvatar: Handler<typeof endpoints.users.uploadOwnAvatar, Context> = async ({
  caller,
  context,
  requestId,
  receiveFile,
}) => {
  await checkMayChangeAvatar(context, caller)
  const picture = await makeAvatarPicture(await receiveFile(({ stream }) => readPicture(stream)))
  const stored = await storeAvatar(context, caller.realmId, picture)
  const account = await context.transact(async (tx) =>
    setAvatar(tx, await lockOwnAccount(tx, caller), stored, requestId),
  )
  return { avatar_url: avatarUrlOf(account) }
}

/** Throws BAD_REQUEST if only administrators may change avatars. */
export async function checkMayChangeAvatar(
  { realms }: Pick<Context, 'realms'>,
  { realmId, role }: Caller,
): Promise<void> {
  const realm = await realms.findById(realmId)
  if (realm?.avatar_changes_disabled && role > Role.administrator)
    throw badRequest('Only administrators change avatars in this organization')
}
