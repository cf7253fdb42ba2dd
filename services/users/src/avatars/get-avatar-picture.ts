import type { endpoints } from '@tms/contracts'
import { answerPicture, type Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { blobNameOf, isAvatarFileName } from './avatar-files.ts'

/** Serves an avatar to anyone who knows its URL, at the host of its organization. Throws NOT_FOUND. */
export const handleGetAvatarPicture: Handler<typeof endpoints.users.getAvatarPicture, Context> = async ({
  input: { realm_id, filename },
  context: { blobs, realms },
  host,
}) => {
  const realm = await realms.findByHost(host)
  const blob =
    realm?.realm_id === realm_id && isAvatarFileName(filename) ? blobNameOf(realm_id, filename) : null
  return answerPicture(blobs, { blob, contentType: 'image/png', tag: filename })
}
