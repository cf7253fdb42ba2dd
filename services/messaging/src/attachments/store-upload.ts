import { AppError, domainEvents } from '@tms/contracts'
import { type Caller, type ReceiveFile, type Tx, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { measureWhileRead } from '../pictures/measure-while-read.ts'
import { listRecords } from './attachment-record.queries.ts'
import { cancelBlobDeletion, hastenBlobDeletion, scheduleBlobDeletion } from './blob-to-delete.queries.ts'
import { contentTypeOf } from './content-type.rules.ts'
import { insertFile, type NewFile } from './file.queries.ts'
import { blobNameOf, createPathId, displayNameOf, UPLOADS_PATH } from './path-id.rules.ts'
import type { UploadAnswer } from './resumable-upload.queries.ts'
import { findSpaceUsed, takeSpace } from './upload-space.queries.ts'

/** Longer than any upload lasts. The blob of an interrupted upload stays for this long at most. */
const RESERVATION_MS = 2 * 3_600_000

interface Upload {
  readonly caller: Caller
  readonly requestId: string
  /** Runs in the transaction that adds the file; if it throws, there is none. */
  readonly claim?: (tx: Tx, answer: UploadAnswer) => Promise<void>
}

/**
 * Stores the file that `receive` brings. The deletion of its blob is scheduled before the blob is stored, and cancelled
 * in the transaction that adds the file, so no failure leaves a blob behind.
 */
export async function storeUpload(
  context: Context,
  upload: Upload,
  receive: ReceiveFile,
): Promise<UploadAnswer> {
  const { db, blobs, now } = context
  const { caller } = upload
  const deleteAfter = new Date(now().getTime() + RESERVATION_MS)
  let pathId = ''
  let filename = ''
  try {
    const file = await receive(async ({ name, contentType, stream }): Promise<NewFile> => {
      pathId = createPathId(caller.realmId, name)
      filename = displayNameOf(name)
      const properties = { name: filename, contentType: contentTypeOf(contentType, name) }
      await scheduleBlobDeletion(db, [blobNameOf(pathId)], deleteAfter)
      const measured = measureWhileRead(stream)
      const size = await blobs.put(blobNameOf(pathId), measured.stream, properties)
      const dimensions = measured.dimensions()
      return { realmId: caller.realmId, ownerId: caller.userId, pathId, size, dimensions, ...properties }
    })
    await addFile(context, file, deleteAfter, upload)
  } catch (err) {
    if (pathId !== '') await hastenBlobDeletion(db, blobNameOf(pathId), now())
    context.blobDeletion.wake()
    throw err
  }
  return answerOf({ pathId, name: filename })
}

function answerOf({ pathId, name }: Pick<NewFile, 'pathId' | 'name'>): UploadAnswer {
  const url = UPLOADS_PATH + pathId
  return { url, filename: name, uri: url }
}

/** Throws REALM_UPLOAD_QUOTA if there is no space for so many bytes. The size is checked again once it is known. */
export async function checkQuota(
  { db, uploadQuotaBytes }: Context,
  { realmId }: Caller,
  bytes: number,
): Promise<void> {
  if (uploadQuotaBytes === null) return
  if ((await findSpaceUsed(db, realmId)) + bytes > uploadQuotaBytes) throw new AppError('REALM_UPLOAD_QUOTA')
}

function addFile(
  { db, publish, uploadQuotaBytes }: Context,
  file: NewFile,
  deleteAfter: Date,
  { requestId, claim }: Upload,
): Promise<void> {
  const { realmId, ownerId } = file
  return transact(db, async (tx) => {
    if (!(await cancelBlobDeletion(tx, blobNameOf(file.pathId), deleteAfter))) {
      throw new AppError('SERVICE_UNAVAILABLE', { message: 'The upload took too long; try again' })
    }
    await claim?.(tx, answerOf(file))
    const id = await insertFile(tx, file)
    const upload_space_used = await takeSpace(tx, realmId, file.size, uploadQuotaBytes)
    if (upload_space_used === null) throw new AppError('REALM_UPLOAD_QUOTA')
    for (const attachment of await listRecords(tx, [id])) {
      const payload = { user_id: ownerId, attachment, upload_space_used }
      await publish(tx, domainEvents.messaging.attachmentAdded, payload, { realmId, requestId })
    }
  })
}
