import type { endpoints } from '@tms/contracts'
import { answerPicture, type Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { blobNameOf, isAvatarFileName } from './avatar-files.ts'

/** Gives the picture of an avatar to anyone who knows where it is. Throws NOT_FOUND. */
export const handleGetAvatarPicture: Handler<typeof endpoints.users.getAvatarPicture, Context> = ({
  input: { realm_id, filename },
  context: { blobs },
}) => {
  const blob = isAvatarFileName(filename) ? blobNameOf(realm_id, filename) : null
  return answerPicture(blobs, { blob, contentType: 'image/png', tag: filename })
}
