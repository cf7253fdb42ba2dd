// The steps of a trial, counted and reported one by one.
import { setTimeout as sleep } from 'node:timers/promises'

/** The result of a step, or the reason why there is none. */
export type Outcome<T> = { missing: null; result: T } | { missing: string }

type Results<N extends readonly Outcome<unknown>[]> = {
  [K in keyof N]: N[K] extends Outcome<infer T> ? T : never
}

export interface Steps {
  /** Runs a step and returns its result. Throws with the step's name if it fails, or if the trial was interrupted before. */
  step: <T>(name: string, work: () => T | Promise<T>) => Promise<T>
  /**
   * Runs a step that depends on others, with their results. Never throws: it reports a failure, and later steps that depend
   * on this one are skipped. The result is for `needs` of later steps.
   */
  stepAfter: <const N extends readonly Outcome<unknown>[], T>(
    needs: N,
    name: string,
    work: (...results: Results<N>) => T | Promise<T>,
  ) => Promise<Outcome<T>>
  fail: (err: unknown) => void
  hasFailed: () => boolean
  /** Prints the summary and sets the exit code. */
  finish: () => void
}

/** Creates the functions that run and report steps. */
export function createSteps({ log = console.log, logError = console.error } = {}): Steps {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      isInterrupted = true
    })
  }

  const step: Steps['step'] = async (name, work) => {
    if (isInterrupted) throw new Error('interrupted')
    const startedAt = Date.now()
    try {
      const result = await work()
      counts.passed += 1
      log(`✓ ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
      return result
    } catch (err) {
      throw new Error(`✕ ${name}: ${getErrorMessage(err)}`)
    }
  }

  const fail = (err: unknown) => {
    counts.failed += 1
    logError(getErrorMessage(err))
  }

  const skip = (name: string, reason: string) => {
    counts.skipped += 1
    log(`– ${name}: skipped, ${reason}`)
    return { missing: reason }
  }

  const stepAfter: Steps['stepAfter'] = async (needs, name, work) => {
    const results: unknown[] = []
    for (const need of needs) {
      if (need.missing !== null) return skip(name, need.missing)
      results.push(need.result)
    }
    if (isInterrupted) return skip(name, 'interrupted')
    try {
      // The compiler can't follow that the results have the order of the needs.
      return { missing: null, result: await step(name, () => work(...(results as Results<typeof needs>))) }
    } catch (err) {
      fail(err)
      return { missing: `for it needs: ${name}` }
    }
  }

  return {
    step,
    stepAfter,
    fail,
    hasFailed: () => counts.failed > 0,
    finish: () => {
      const { passed, failed, skipped } = counts
      log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
      process.exitCode = failed === 0 && skipped === 0 ? 0 : 1
    },
  }
}

/** Repeats something with pauses while other work runs. Ends with that work, and throws if either fails. */
export async function repeatDuring(
  work: Promise<unknown>,
  repeat: (count: number) => Promise<unknown>,
  pauseMs: number,
): Promise<void> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  const repeating = (async () => {
    for (let count = 0; !isDone; count++) {
      await repeat(count)
      await Promise.race([done.catch(() => {}), sleep(pauseMs)])
    }
  })()
  for (const ended of await Promise.allSettled([done, repeating]))
    if (ended.status === 'rejected') throw ended.reason
}

/** Throws unless the condition holds. */
export function expect(holds: unknown, message: string): asserts holds {
  if (!holds) throw new Error(message)
}

export const getErrorMessage = (err: unknown): string => (err instanceof Error ? err.message : String(err))
