import type { Readable } from 'node:stream'
import { badRequest } from '@tms/contracts'
import { inTransaction } from '@tms/service-kit'
import { doomBlobs, spareBlob } from '../attachments/doomed-blob.queries.ts'
import { BLOB_FOLDER } from '../attachments/path-id.rules.ts'
import type { Context } from '../context.ts'
import { type AwaitedFile, findAwaitedFile } from './exported-file.queries.ts'

/** Longer than any file takes to come; what one that was interrupted has stored stays for this long at most. */
const RESERVATION_MS = 2 * 3_600_000

/**
 * Keeps the bytes of a file that an import has brought. Like an upload's, the blob is doomed before it is stored, and
 * spared when the file is still there: so an import that is undone meanwhile leaves none behind. Passes over a file that
 * there is no record of, which may have been too old to be kept. Throws BAD_REQUEST when it isn't as large as it should be.
 */
export async function importFile(
  context: Pick<Context, 'db' | 'blobs' | 'now' | 'blobDeletion'>,
  realmId: number,
  blobName: string,
  content: Readable,
): Promise<void> {
  const { db, blobs, now, blobDeletion } = context
  const pathBegin = blobName.slice(BLOB_FOLDER.length)
  const awaited = await findAwaitedFile(db, realmId, pathBegin)
  if (!awaited) return
  const deleteAfter = new Date(now().getTime() + RESERVATION_MS)
  await doomBlobs(db, [blobName], deleteAfter)
  try {
    checkSize(awaited, await blobs.put(blobName, content, { contentType: awaited.contentType }), blobName)
    await inTransaction(db, async (tx) => {
      if (!(await findAwaitedFile(tx, realmId, pathBegin, 'for share'))) await doomBlobs(tx, [blobName], now())
      else if (!(await spareBlob(tx, blobName, deleteAfter))) throw new Error(`${blobName} took too long to come`)
    })
  } catch (err) {
    await doomBlobs(db, [blobName], now())
    throw err
  } finally {
    blobDeletion.wake()
  }
}

function checkSize({ size }: AwaitedFile, stored: number, blobName: string): void {
  if (stored !== size) throw badRequest(`${blobName} has ${stored} bytes instead of ${size}`)
}
