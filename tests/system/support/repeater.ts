/** Repeats work until it is stopped or fails; a failure stops all of it. */
export interface Repeater {
  repeat(change: (turn: number) => Promise<unknown>): void
  /** Stops it. Rejects with the first failure. */
  stop(): Promise<void>
  /** Rejects as soon as anything fails, for tests that wait for an effect of the work. */
  readonly failed: Promise<never>
}

export function createRepeater(): Repeater {
  const running: Promise<void>[] = []
  const failures: unknown[] = []
  let isStopped = false
  let rejectFailed: (reason: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    rejectFailed = reject
  })
  // A failure that is not awaited before the end is not unhandled.
  failed.catch(() => {})

  const run = async (change: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; !isStopped; turn++) {
      await change(turn).catch((reason: unknown) => {
        failures.push(reason)
        isStopped = true
        rejectFailed(reason)
      })
    }
  }
  return {
    repeat: (change) => {
      running.push(run(change))
    },
    stop: async () => {
      isStopped = true
      await Promise.all(running)
      if (failures.length > 0) throw failures[0]
    },
    failed,
  }
}
