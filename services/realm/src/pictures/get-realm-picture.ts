import type { endpoints } from '@tms/contracts'
import { answerPicture, type Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { blobNameOf, isPictureFile } from '../kernel/parts/realm-pictures.ts'
import { findRealmByHost } from '../kernel/realms/find-realm-by-host.ts'

/** Returns an icon or a logo to anyone who knows its URL, at the host of its organization. Throws NOT_FOUND. */
export const handleGetRealmPicture: Handler<typeof endpoints.realm.getRealmPicture, Context> = async ({
  input: { realm_id, filename },
  context,
  host,
}) => {
  const realm = isPictureFile(filename) ? await findRealmByHost(context, host) : null
  return answerPicture(context.blobs, {
    blob: realm?.id === realm_id ? blobNameOf(realm_id, filename) : null,
    contentType: 'image/png',
    tag: filename,
  })
}
