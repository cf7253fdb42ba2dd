import { AppError, domainEvents, type endpoints } from '@tms/contracts'
import { type Caller, type Handler, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { measureWhileRead } from '../pictures/measure-while-read.ts'
import { listRecords } from './attachment-record.queries.ts'
import { cancelBlobDeletion, hastenBlobDeletion, scheduleBlobDeletion } from './blob-to-delete.queries.ts'
import { contentTypeOf } from './content-type.rules.ts'
import { insertFile, type NewFile } from './file.queries.ts'
import { blobNameOf, createPathId, displayNameOf, UPLOADS_PATH } from './path-id.rules.ts'
import { findSpaceUsed, takeSpace } from './upload-space.queries.ts'

/** Longer than any upload lasts. The blob of an interrupted upload stays for this long at most. */
const RESERVATION_MS = 2 * 3_600_000

/**
 * Stores an uploaded file. The deletion of its blob is scheduled before the blob is stored, and cancelled in the
 * transaction that adds the file, so no failure leaves a blob behind.
 */
export const handleUploadFile: Handler<typeof endpoints.messaging.uploadFile, Context> = async ({
  caller,
  context,
  requestId,
  receiveFile,
}) => {
  const { db, blobs, now } = context
  await checkQuota(context, caller)
  const deleteAfter = new Date(now().getTime() + RESERVATION_MS)
  let pathId = ''
  let filename = ''
  try {
    const file = await receiveFile(async ({ name, contentType, stream }): Promise<NewFile> => {
      pathId = createPathId(caller.realmId, name)
      filename = displayNameOf(name)
      const properties = { name: filename, contentType: contentTypeOf(contentType, name) }
      await scheduleBlobDeletion(db, [blobNameOf(pathId)], deleteAfter)
      const measured = measureWhileRead(stream)
      const size = await blobs.put(blobNameOf(pathId), measured.stream, properties)
      const dimensions = measured.dimensions()
      return { realmId: caller.realmId, ownerId: caller.userId, pathId, size, dimensions, ...properties }
    })
    await addFile(context, file, { deleteAfter, requestId })
  } catch (err) {
    if (pathId !== '') await hastenBlobDeletion(db, blobNameOf(pathId), now())
    context.blobDeletion.wake()
    throw err
  }
  const url = UPLOADS_PATH + pathId
  return { url, filename, uri: url }
}

/** Throws REALM_UPLOAD_QUOTA if there is no space for even one byte. The size is checked once it is known. */
async function checkQuota({ db, uploadQuotaBytes }: Context, { realmId }: Caller): Promise<void> {
  if (uploadQuotaBytes === null) return
  if ((await findSpaceUsed(db, realmId)) >= uploadQuotaBytes) throw new AppError('REALM_UPLOAD_QUOTA')
}

function addFile(
  { db, publish, uploadQuotaBytes }: Context,
  file: NewFile,
  { deleteAfter, requestId }: { deleteAfter: Date; requestId: string },
): Promise<void> {
  const { realmId, ownerId } = file
  return transact(db, async (tx) => {
    if (!(await cancelBlobDeletion(tx, blobNameOf(file.pathId), deleteAfter))) {
      throw new AppError('SERVICE_UNAVAILABLE', { message: 'The upload took too long; try again' })
    }
    const id = await insertFile(tx, file)
    const upload_space_used = await takeSpace(tx, realmId, file.size, uploadQuotaBytes)
    if (upload_space_used === null) throw new AppError('REALM_UPLOAD_QUOTA')
    for (const attachment of await listRecords(tx, [id])) {
      const payload = { user_id: ownerId, attachment, upload_space_used }
      await publish(tx, domainEvents.messaging.attachmentAdded, payload, { realmId, requestId })
    }
  })
}
