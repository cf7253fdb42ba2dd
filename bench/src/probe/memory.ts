import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Bytes in use after garbage was collected. */
export interface Memory {
  readonly rss: number
  /** JavaScript objects and their memory outside of the heap. */
  readonly live: number
}

const ROUNDS = 4
const PAUSE_MS = 150

/**
 * Collects garbage until nothing more is expected, and returns what is left. It uses the inspector, since V8 then also releases
 * the space for new objects: up to 32 MB of a process, which it acquires under load and releases at an arbitrary idle moment. A
 * plain `gc()` keeps it, and figures would vary by it between runs.
 */
export async function collectMemory(): Promise<Memory> {
  const session = new Session()
  session.connect()
  try {
    for (let round = 0; round < ROUNDS; round++) {
      await session.post('HeapProfiler.collectGarbage')
      // Finalizers run between collections, and free more.
      await sleep(PAUSE_MS)
    }
  } finally {
    session.disconnect()
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, live: heapUsed + external }
}
