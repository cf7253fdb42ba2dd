import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Too small takes its time from the start of others beside it; too large keeps memory of processes that were only started. */
const AFTER_MS = 15_000

/**
 * Collects once what a start has left behind, some 30 MB of each process: V8 collects by itself when it needs room, which a
 * process that rests doesn't for hours. Takes about 30 ms.
 */
export function collectAfterStart(): void {
  setTimeout(() => {
    // Flags are part of what compiled code on disk is known by, so they are what they were right after.
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    setFlagsFromString('--no-expose-gc')
    collect()
  }, AFTER_MS).unref()
}
