import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Too small takes CPU from other processes that start beside it; too large wastes memory of processes that do nothing
 * after their start.
 */
const AFTER_MS = 15_000

/**
 * Collects garbage of the startup once, some 30 MB per process: V8 collects only when it needs room, which an idle
 * process doesn't for hours. Takes about 30 ms.
 */
export function collectAfterStart(): void {
  setTimeout(() => {
    // Compiled code on disk is cached by V8's flags, so they are restored right after.
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    setFlagsFromString('--no-expose-gc')
    collect()
  }, AFTER_MS).unref()
}
