import { AppError, type endpoints, type RealmPicture } from '@tms/contracts'
import { readPicture } from '@tms/pictures'
import { type Handler, RedirectAnswer } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { showPicture } from '../kernel/parts/realm-pictures.ts'
import { findOrganization } from '../kernel/realms/realm.queries.ts'
import { removePicture, setPicture } from './change-picture.ts'

/**
 * Makes the body's one picture the organization's logo, for dark themes with `night`. Throws BAD_REQUEST or
 * BAD_IMAGE.
 */
export const handleUploadLogo: Handler<typeof endpoints.realm.uploadLogo, Context> = async ({
  input,
  caller: { realmId },
  context,
  requestId,
  receiveFile,
}) => {
  const sent = await receiveFile(({ stream }) => readPicture(stream))
  // Read only now: the parameter may come after the file.
  await setPicture(context, { realmId, requestId }, logoOf(input), sent)
  return {}
}

/** Removes a logo of the organization. */
export const handleDeleteLogo: Handler<typeof endpoints.realm.deleteLogo, Context> = async ({
  input,
  caller: { realmId },
  context,
  requestId,
}) => {
  await removePicture(context, { realmId, requestId }, logoOf(input))
  return {}
}

/** Redirects to a logo of the organization. Throws NO_SUCH_OBJECT if it has none, so that clients show their own. */
export const handleFindLogo: Handler<typeof endpoints.realm.findLogo, Context> = async ({
  input,
  caller,
  context,
}) => {
  const organization = await findOrganization(context.prisma, caller.realmId)
  const url = organization === null ? '' : showPicture(organization, logoOf(input)).url
  if (url === '') throw new AppError('NO_SUCH_OBJECT', { message: 'The organization has no such logo' })
  return new RedirectAnswer(url)
}

const logoOf = ({ night = false }: { night?: boolean | undefined }): RealmPicture =>
  night ? 'night_logo' : 'logo'
