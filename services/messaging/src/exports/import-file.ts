import { badRequest, type internal } from '@tms/contracts'
import { type InternalHandler, transact } from '@tms/service-kit'
import { cancelBlobDeletion, scheduleBlobDeletion } from '../attachments/blob-to-delete.queries.ts'
import { blobNameOf, pathOfBlob } from '../attachments/path-id.rules.ts'
import type { Context } from '../kernel/context.ts'
import { findExpectedFile } from './expected-file.queries.ts'

/** Longer than any transfer takes. The blob of an interrupted one stays for this long at most. */
const RESERVATION_MS = 2 * 3_600_000

/**
 * Stores the bytes of an imported file. As for an upload, the blob's deletion is scheduled before it is stored, and
 * cancelled if the file's record still exists, so an import that is undone meanwhile leaves no blob behind.
 */
export const handleImportFile: InternalHandler<typeof internal.messaging.importFile, Context> = async (
  { realm_id, key },
  { db, blobs, now, blobDeletion },
  _requestId,
  content,
) => {
  const path = pathOfBlob(key)
  const file = await findExpectedFile(db, realm_id, path)
  if (!file || blobNameOf(file.pathId) !== key)
    throw badRequest(`No record of the import describes the file ${key}`)
  const deleteAfter = new Date(now().getTime() + RESERVATION_MS)
  await scheduleBlobDeletion(db, [key], deleteAfter)
  try {
    const size = await blobs.put(key, content, { contentType: file.contentType })
    if (size !== file.size) throw badRequest(`The file ${key} has ${size} bytes instead of ${file.size}`)
    await transact(db, async (tx) => {
      const isExpected = (await findExpectedFile(tx, realm_id, path, 'for share')) !== null
      if (!isExpected || !(await cancelBlobDeletion(tx, key, deleteAfter)))
        throw badRequest('The import was undone meanwhile')
    })
  } catch (err) {
    await scheduleBlobDeletion(db, [key], now())
    blobDeletion.wake()
    throw err
  }
  return {}
}
