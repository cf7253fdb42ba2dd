import type { endpoints } from '@tms/contracts'
import { answerPicture, type Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { blobNameOf, pictureTypeOf } from './emoji-files.ts'

/** Gives the picture of an emoji to anyone who knows where it is. Throws NOT_FOUND. */
export const handleGetEmojiPicture: Handler<typeof endpoints.realm.getEmojiPicture, Context> = ({
  input: { realm_id, filename },
  context: { blobs },
}) =>
  answerPicture(blobs, {
    blob: blobNameOf(realm_id, filename),
    contentType: pictureTypeOf(filename),
    tag: filename,
  })
