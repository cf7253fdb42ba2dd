import type { endpoints } from '@tms/contracts'
import { readPicture } from '@tms/pictures'
import { type Handler, RedirectAnswer } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { iconUrlOf } from '../kernel/parts/realm-pictures.ts'
import { getOrganization } from '../kernel/realms/realm.queries.ts'
import { removePicture, setPicture } from './change-picture.ts'

/** Makes the body's one picture the organization's icon. Throws BAD_REQUEST or BAD_IMAGE. */
export const handleUploadIcon: Handler<typeof endpoints.realm.uploadIcon, Context> = async ({
  caller: { realmId },
  context,
  requestId,
  receiveFile,
}) => {
  const sent = await receiveFile(({ stream }) => readPicture(stream))
  return { icon_url: await setPicture(context, { realmId, requestId }, 'icon', sent) }
}

/** Removes the organization's icon; a generated one replaces it. */
export const handleDeleteIcon: Handler<typeof endpoints.realm.deleteIcon, Context> = async ({
  caller: { realmId },
  context,
  requestId,
}) => ({ icon_url: await removePicture(context, { realmId, requestId }, 'icon') })

/** Redirects to the organization's icon. */
export const handleFindIcon: Handler<typeof endpoints.realm.findIcon, Context> = async ({
  caller,
  context,
}) => {
  const organization = await getOrganization(context.prisma, caller.realmId)
  return new RedirectAnswer(iconUrlOf(organization))
}
