import { Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Bytes in use after garbage was collected. */
export interface Memory {
  readonly rss: number
  /** JavaScript objects and what hangs on them outside of the heap. */
  readonly live: number
}

const ROUNDS = 4
const PAUSE_MS = 150

/**
 * Collects garbage until nothing more is expected to go, and tells what is left. Through the inspector, since that lets V8
 * also give back the room for new objects: up to 32 MB of a process, taken under load and given back in quiet at a moment of
 * V8's choice. A mere `gc()` leaves it, and then figures differ by it from run to run.
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
