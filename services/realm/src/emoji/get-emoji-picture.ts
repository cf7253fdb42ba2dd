import { AppError, type endpoints } from '@tms/contracts'
import { FileAnswer, type Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { blobNameOf, pictureTypeOf } from './emoji-files.ts'

/** Gives the picture of an emoji to anyone who knows where it is. Throws NOT_FOUND. */
export const handleGetEmojiPicture: Handler<typeof endpoints.realm.getEmojiPicture, Context> = async ({
  input: { realm_id, filename },
  context: { blobs },
}) => {
  const contentType = pictureTypeOf(filename)
  const blob = blobNameOf(realm_id, filename)
  const found = contentType === null ? null : await blobs.stat(blob)
  if (contentType === null || found === null) throw noSuchPicture()
  return new FileAnswer({
    contentType,
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
