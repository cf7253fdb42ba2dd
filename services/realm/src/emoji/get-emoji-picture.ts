import type { endpoints } from '@tms/contracts'
import { answerPicture, type Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { blobNameOf, pictureTypeOf } from '../kernel/parts/emoji-files.ts'
import { findRealmByHost } from '../kernel/realms/find-realm-by-host.ts'

/** Returns the picture of an emoji to anyone who knows its URL, at the host of its organization. Throws NOT_FOUND. */
export const handleGetEmojiPicture: Handler<typeof endpoints.realm.getEmojiPicture, Context> = async ({
  input: { realm_id, filename },
  context,
  host,
}) => {
  const realm = await findRealmByHost(context, host)
  return answerPicture(context.blobs, {
    blob: realm?.id === realm_id ? blobNameOf(realm_id, filename) : null,
    contentType: pictureTypeOf(filename),
    tag: filename,
  })
}
