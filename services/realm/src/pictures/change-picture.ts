import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { domainEvents, type RealmPicture } from '@tms/contracts'
import type { Cause } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { blobNameOf, fileColumns, showPicture } from '../kernel/parts/realm-pictures.ts'
import { changeAndPublish } from '../kernel/realms/change-organization.ts'
import { findOrganization } from '../kernel/realms/realm.queries.ts'
import { makePicture } from './make-picture.ts'

type Needed = Pick<Context, 'transact' | 'prisma' | 'blobs'>

/** Makes an uploaded file a picture of the organization, and returns its URL. Throws BAD_IMAGE. */
export async function setPicture(
  context: Needed,
  cause: Cause,
  picture: RealmPicture,
  sent: Buffer,
): Promise<string> {
  const content = await makePicture(sent, picture)
  const file = `${randomBytes(16).toString('hex')}.png`
  const blob = blobNameOf(cause.realmId, file)
  try {
    await context.blobs.put(blob, Readable.from([content]), { contentType: 'image/png' })
    return await changePicture(context, cause, picture, file)
  } catch (err) {
    // A file that can't be removed now is a few kilobytes without a reference.
    await Promise.allSettled([context.blobs.delete(blob)])
    throw err
  }
}

/** Removes an uploaded picture of the organization, if there is one, and returns the URL of the default picture. */
export async function removePicture(context: Needed, cause: Cause, picture: RealmPicture): Promise<string> {
  const organization = await findOrganization(context.prisma, cause.realmId)
  if (organization?.[fileColumns[picture]] === null) return showPicture(organization, picture).url
  return changePicture(context, cause, picture, null)
}

async function changePicture(
  context: Needed,
  cause: Cause,
  picture: RealmPicture,
  file: string | null,
): Promise<string> {
  const column = fileColumns[picture]
  const { former, url } = await changeAndPublish(context, domainEvents.realm.realmPictureChanged, cause, {
    change: async (_tx, organization) => ({
      former: organization[column],
      url: showPicture({ ...organization, [column]: file }, picture).url,
    }),
    columns: { [column]: file },
    payload: (projection, organization) => ({ picture, ...showPicture(organization, picture), projection }),
  })
  // As above.
  if (former !== null) await Promise.allSettled([context.blobs.delete(blobNameOf(cause.realmId, former))])
  return url
}
