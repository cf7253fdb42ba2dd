import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Too small takes CPU from other processes that start beside it; too large wastes memory of processes that do nothing
 * after their start.
 */
const AFTER_MS = 15_000
/**
 * Services that are idle have up to 46 MB before it. One with more serves many clients already: V8 collects by itself then, and they
 * would wait some 4 ms for each megabyte, twice that on a busy machine.
 */
const MAX_HEAP_BYTES = 70_000_000

/**
 * Collects garbage of the startup once, and returns its pages to the system, some 35 MB per process: V8 collects only when it
 * needs room, which an idle process doesn't for hours. After an ordinary collection V8 would keep 30 MB of free pages for reuse;
 * this takes two or three times its CPU, some 100 ms. A thread has a heap of its own, and calls this too.
 */
export function collectAfterStart(): void {
  setTimeout(() => {
    if (getHeapStatistics().used_heap_size > MAX_HEAP_BYTES) return
    // Compiled code on disk is cached by V8's flags, so they are restored right after.
    setFlagsFromString('--expose-gc')
    // None if another thread restores the flags just now.
    const collect: ((options: object) => void) | undefined = runInNewContext('globalThis.gc')
    setFlagsFromString('--no-expose-gc')
    collect?.({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  }, AFTER_MS).unref()
}
