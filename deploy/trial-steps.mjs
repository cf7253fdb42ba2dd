// The steps of a trial, which are counted and reported one by one.
import { setTimeout as sleep } from 'node:timers/promises'

/** Reports to the console and sets the exit code, unless it gets other ways to do so. */
export function createSteps({ log = console.log, logError = console.error } = {}) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  let isInterrupted = false
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.once(signal, () => {
      isInterrupted = true
    })
  }

  /** Returns what the work returns. Throws with the step's name when it fails, or when the trial was interrupted before it. */
  const step = async (name, work) => {
    if (isInterrupted) throw new Error('interrupted')
    const startedAt = Date.now()
    try {
      const result = await work()
      counts.passed += 1
      log(`✓ ${name} (${((Date.now() - startedAt) / 1000).toFixed(1)} s)`)
      return result
    } catch (err) {
      throw new Error(`✕ ${name}: ${reasonOf(err)}`)
    }
  }

  const fail = (err) => {
    counts.failed += 1
    logError(reasonOf(err))
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
     * A step that needs others, whose results its work gets. Never throws: a failure is reported, and only the steps that need this
     * one are skipped. Returns what `needs` of later steps takes.
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
    /** Prints the last line, and sets the exit code. */
    tell: () => {
      const { passed, failed, skipped } = counts
      log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`)
      process.exitCode = failed === 0 && skipped === 0 ? 0 : 1
    },
  }
}

/** Does something again and again, with a pause in between, while other work is under way. Ends with that work, and throws if either fails. */
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

export const reasonOf = (err) => (err instanceof Error ? err.message : String(err))
