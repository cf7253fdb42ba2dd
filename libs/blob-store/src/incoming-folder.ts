import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** No put takes this long. */
const LEFT_BEHIND_MS = 86_400_000

/** A folder for files that are still being received. */
export interface IncomingFolder {
  /**
   * Writes the stream to a file and flushes it to the disk; then `take` gets the path and may move the file. The file
   * is removed afterwards in any case.
   */
  receive<T>(content: Readable, take: (path: string) => Promise<T>): Promise<T>
  /** Removes files that a process left behind when it ended. */
  sweep(): Promise<void>
}

/** Creates the folder when it is first needed. */
export function createIncomingFolder(folder: string): IncomingFolder {
  return {
    receive: async (content, take) => {
      const path = join(folder, randomUUID())
      // Ignored until the pipeline handles errors: it rejects with an earlier error, too.
      content.on('error', () => {})
      try {
        await mkdir(folder, { recursive: true })
        // Opened before streaming: a write stream that opens its file itself may do so after the file was removed.
        const file = await open(path, 'wx', 0o600)
        await pipeline(content, file.createWriteStream({ flush: true }))
        return await take(path)
      } finally {
        content.destroy()
        await rm(path, { force: true })
      }
    },
    sweep: async () => {
      const oldest = Date.now() - LEFT_BEHIND_MS
      for (const file of await readdir(folder).catch(ignoreMissing)) {
        const stats = await stat(join(folder, file)).catch(ignoreMissing)
        if (stats && 'mtimeMs' in stats && stats.mtimeMs < oldest)
          await rm(join(folder, file), { force: true })
      }
    },
  }
}

function ignoreMissing(err: NodeJS.ErrnoException): never[] {
  if (err.code === 'ENOENT') return []
  throw err
}
