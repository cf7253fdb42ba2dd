import type { BlobStore } from '@tms/blob-store'
import { type Logger, type Loop, type Pool, startLoop } from '@tms/service-kit'
import { claimBlobsToDelete, forgetBlobs } from './blob-to-delete.queries.ts'

const BATCH_SIZE = 50
/** A replica that dies is replaced after this; longer than a batch takes even of a slow store. */
const LEASE_SECONDS = 300
const PAUSE_MS = 60_000

/** Deletes blobs whose time has come. Wake it after a commit that doomed some. */
export function startBlobDeletion(db: Pool, blobs: BlobStore, log: Logger): Loop {
  return startLoop({
    name: 'blob deletion',
    log,
    retryMs: 10_000,
    round: async () => {
      const names = await claimBlobsToDelete(db, BATCH_SIZE, LEASE_SECONDS)
      for (const name of names) await blobs.delete(name)
      await forgetBlobs(db, names)
      return names.length === BATCH_SIZE ? 0 : PAUSE_MS
    },
  })
}
