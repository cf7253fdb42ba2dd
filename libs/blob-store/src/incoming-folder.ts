import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Older than any put that still goes on. */
const LEFT_BEHIND_MS = 86_400_000

/** A folder of files that are on their way. */
export interface IncomingFolder {
  /**
   * Writes the stream to a file, on the disk when this resolves; `take` gets its path and may move it away. The
   * file is gone afterwards, whatever happens.
   */
  receive<T>(content: Readable, take: (path: string) => Promise<T>): Promise<T>
  /** Removes files that a process left behind when it ended. */
  sweep(): Promise<void>
}

/** The folder is made when it is first needed. */
export function incomingFolder(folder: string): IncomingFolder {
  return {
    receive: async (content, take) => {
      const path = join(folder, randomUUID())
      // Until the pipeline looks after it, which rejects with what went wrong before.
      content.on('error', () => {})
      try {
        await mkdir(folder, { recursive: true })
        // Opened first: a stream that opens its file itself may do so when that has been removed already.
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
        const facts = await stat(join(folder, file)).catch(ignoreMissing)
        if (facts && 'mtimeMs' in facts && facts.mtimeMs < oldest)
          await rm(join(folder, file), { force: true })
      }
    },
  }
}

function ignoreMissing(err: NodeJS.ErrnoException): never[] {
  if (err.code === 'ENOENT') return []
  throw err
}
