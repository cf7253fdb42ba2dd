import { AppError, type endpoints } from '@tms/contracts'
import { FileAnswer, type Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { blobNameOf, isAvatarFileName } from './avatar-files.ts'

/** Gives the picture of an avatar to anyone who knows where it is. Throws NOT_FOUND. */
export const handleGetAvatarPicture: Handler<typeof endpoints.users.getAvatarPicture, Context> = async ({
  input: { realm_id, filename },
  context: { blobs },
}) => {
  const blob = isAvatarFileName(filename) ? blobNameOf(realm_id, filename) : null
  const found = blob === null ? null : await blobs.stat(blob)
  if (blob === null || found === null) throw noSuchPicture()
  return new FileAnswer({
    contentType: 'image/png',
    disposition: 'inline',
    size: found.size,
    tag: filename,
    isForEveryone: true,
    open: async (range) => {
      const content = await blobs.get(blob, range)
      if (!content) throw noSuchPicture()
      return content
    },
  })
}

function noSuchPicture(): AppError {
  return new AppError('NOT_FOUND', { message: 'There is no such picture' })
}
