import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes in use after garbage was collected. */
export interface Memory {
  readonly rss: number
  /** JavaScript objects and what hangs on them outside of the heap. */
  readonly live: number
}

const ROUNDS = 4
const PAUSE_MS = 150

/** Collects garbage until nothing more is expected to go, and tells what is left. */
export async function collectMemory(): Promise<Memory> {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  for (let round = 0; round < ROUNDS; round++) {
    collect()
    // Finalizers run between collections, and free more.
    await sleep(PAUSE_MS)
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  return { rss, live: heapUsed + external }
}
