import { setTimeout as sleep } from 'node:timers/promises'

export type WaitOptions = {
  /** What is awaited, as it reads after "waited 60 s for". */
  what: string
  timeoutMs: number
  everyMs?: number
  signal?: AbortSignal | undefined
}

/**
 * Calls `check` repeatedly until it returns true. Throws if the deadline passes, if the signal fires, and whatever
 * `check` throws (a check that may fail for a while has to return false instead).
 */
export async function waitUntil(
  check: () => boolean | Promise<boolean>,
  options: WaitOptions,
): Promise<void> {
  const { what, timeoutMs, everyMs = 100, signal } = options
  const deadline = Date.now() + timeoutMs
  while (!(await check())) {
    signal?.throwIfAborted()
    if (Date.now() > deadline) throw new Error(`waited ${Math.round(timeoutMs / 1000)} s for ${what}`)
    await sleep(everyMs)
  }
}
