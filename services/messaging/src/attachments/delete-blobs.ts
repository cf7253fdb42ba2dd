import type { BlobStore } from '@tms/blob-store'
import { type Logger, type Loop, type Pool, startLoop } from '@tms/service-kit'
import { claimBlobsToDelete, removeDeletedBlobs } from './blob-to-delete.queries.ts'

const BATCH_SIZE = 50
/** The blobs of a replica that dies are retried after this; longer than a batch takes even with a slow store. */
const LEASE_SECONDS = 300
const PAUSE_MS = 60_000

/** Deletes blobs that are due. Wake it after a commit that scheduled some. */
export function startBlobDeletion(db: Pool, blobs: BlobStore, log: Logger): Loop {
  return startLoop({
    name: 'blob deletion',
    log,
    retryMs: 10_000,
    round: async () => {
      const names = await claimBlobsToDelete(db, BATCH_SIZE, LEASE_SECONDS)
      for (const name of names) await blobs.delete(name)
      await removeDeletedBlobs(db, names)
      return names.length === BATCH_SIZE ? 0 : PAUSE_MS
    },
  })
}
