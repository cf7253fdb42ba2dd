import type { endpoints } from '@tms/contracts'
import { answerPicture, type Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { blobNameOf, isPictureFile } from './realm-pictures.ts'

/** Gives an icon or a logo to anyone who knows where it is. Throws NOT_FOUND. */
export const handleGetRealmPicture: Handler<typeof endpoints.realm.getRealmPicture, Context> = ({
  input: { realm_id, filename },
  context: { blobs },
}) => {
  const blob = isPictureFile(filename) ? blobNameOf(realm_id, filename) : null
  return answerPicture(blobs, { blob, contentType: 'image/png', tag: filename })
}
