import { type Logger, type Loop, startLoop, transact } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { deleteFiles } from './delete-files.ts'
import { lockUnusedFiles } from './file.queries.ts'
import { deleteExpiredUploads } from './resumable-upload.queries.ts'

/** How long a file without any link is kept (API document, "Limits"). */
const UNUSED_MS = 5 * 7 * 86_400_000
/** A batch locks the sums of the organizations in it. */
const BATCH_SIZE = 100
const PAUSE_MS = 3_600_000

/** Deletes files without a link for weeks, and leftovers of interrupted uploads in the store. */
export function startUnusedFileDeletion(context: Context, log: Logger): Loop {
  const { db, blobs, blobDeletion, now } = context
  return startLoop({
    name: 'unused file deletion',
    log,
    retryMs: 60_000,
    round: async (signal) => {
      let count = BATCH_SIZE
      while (count === BATCH_SIZE && !signal.aborted) {
        count = await transact(db, async (tx) => {
          const fileIds = await lockUnusedFiles(tx, new Date(now().getTime() - UNUSED_MS), BATCH_SIZE)
          await deleteFiles(tx, context, fileIds, null)
          return fileIds.length
        })
        if (count > 0) log.info({ count }, 'unused files deleted')
        blobDeletion.wake()
      }
      await deleteExpiredUploads(db)
      await blobs.sweep()
      return PAUSE_MS
    },
  })
}
