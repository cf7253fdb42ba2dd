import { badRequest, type internal } from '@tms/contracts'
import { type InternalHandler, inTransaction } from '@tms/service-kit'
import { doomBlobs, spareBlob } from '../attachments/blob-to-delete.queries.ts'
import { blobNameOf, pathOfBlob } from '../attachments/path-id.rules.ts'
import type { Context } from '../context.ts'
import { findAwaitedFile } from './awaited-file.queries.ts'

/** Longer than any file takes to come; what one that was interrupted has stored stays for this long at most. */
const RESERVATION_MS = 2 * 3_600_000

/**
 * Keeps the bytes of a file that an import has brought. Like an upload's, the blob is doomed before it is stored, and
 * spared if the file is still there: so an import that is undone meanwhile leaves none behind.
 */
export const handleImportFile: InternalHandler<typeof internal.messaging.importFile, Context> = async (
  { realm_id, key },
  { db, blobs, now, blobDeletion },
  _requestId,
  content,
) => {
  const path = pathOfBlob(key)
  const file = await findAwaitedFile(db, realm_id, path)
  if (!file || blobNameOf(file.pathId) !== key)
    throw badRequest(`No record of the import tells of the file ${key}`)
  const deleteAfter = new Date(now().getTime() + RESERVATION_MS)
  await doomBlobs(db, [key], deleteAfter)
  try {
    const size = await blobs.put(key, content, { contentType: file.contentType })
    if (size !== file.size) throw badRequest(`The file ${key} has ${size} bytes instead of ${file.size}`)
    await inTransaction(db, async (tx) => {
      const isAwaited = (await findAwaitedFile(tx, realm_id, path, 'for share')) !== null
      if (!isAwaited || !(await spareBlob(tx, key, deleteAfter)))
        throw badRequest('The import was undone meanwhile')
    })
  } catch (err) {
    await doomBlobs(db, [key], now())
    blobDeletion.wake()
    throw err
  }
  return {}
}
