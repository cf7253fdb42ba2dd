/** Work that goes on, turn after turn, until it is stopped, or until any of it fails: all of it ends then. */
export interface Endless {
  forever(change: (turn: number) => Promise<unknown>): void
  /** Ends it. Rejects with what failed first. */
  stop(): Promise<void>
  /** Rejects as soon as anything fails: for who waits for what the work is to bring about. */
  readonly failed: Promise<never>
}

export function createEndless(): Endless {
  const running: Promise<void>[] = []
  const failures: unknown[] = []
  let isStopped = false
  let tell: (reason: unknown) => void = () => {}
  const failed = new Promise<never>((_, reject) => {
    tell = reject
  })
  // Nobody has to look before the end.
  failed.catch(() => {})

  const run = async (change: (turn: number) => Promise<unknown>) => {
    for (let turn = 0; !isStopped; turn++) {
      await change(turn).catch((reason: unknown) => {
        failures.push(reason)
        isStopped = true
        tell(reason)
      })
    }
  }
  return {
    forever: (change) => {
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
