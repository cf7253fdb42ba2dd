// The steps of a trial, counted and reported one by one.
import { setTimeout as sleep } from 'node:timers/promises'

/** Creates the functions that run and report steps. */
export function createSteps({ log = console.log, logError = console.error } = {}) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      isInterrupted = true
    })
  }

  /** Runs a step and returns its result. Throws with the step's name if it fails, or if the trial was interrupted before. */
  const step = async (name, work) => {
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

  const fail = (err) => {
    counts.failed += 1
    logError(getErrorMessage(err))
  }

  const skip = (name, reason) => {
    counts.skipped += 1
    log(`– ${name}: skipped, ${reason}`)
  }

  return {
    step,
    fail,
    hasFailed: () => counts.failed > 0,
    /**
     * Runs a step that depends on others, with their results. Never throws: it reports a failure, and later steps that depend
     * on this one are skipped. The result is for `needs` of later steps.
     */
    stepAfter: async (needs, name, work) => {
      const cause = needs.find((need) => need.missing !== null)?.missing
      if (cause) {
        skip(name, cause)
        return { missing: cause }
      }
      if (isInterrupted) {
        skip(name, 'interrupted')
        return { missing: 'interrupted' }
      }
      try {
        return { missing: null, result: await step(name, () => work(...needs.map(({ result }) => result))) }
      } catch (err) {
        fail(err)
        return { missing: `for it needs: ${name}` }
      }
    },
    /** Prints the summary and sets the exit code. */
    finish: () => {
      const { passed, failed, skipped } = counts
      log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
      process.exitCode = failed === 0 && skipped === 0 ? 0 : 1
    },
  }
}

/** Repeats something with pauses while other work runs. Ends with that work, and throws if either fails. */
export async function repeatDuring(work, repeat, pauseMs) {
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
  const [ofWork, ofRepeating] = await Promise.allSettled([done, repeating])
  for (const { status, reason } of [ofWork, ofRepeating]) if (status === 'rejected') throw reason
}

export const getErrorMessage = (err) => (err instanceof Error ? err.message : String(err))
