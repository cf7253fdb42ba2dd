import { AppError } from '@tms/contracts'

/** Runs works a few at a time, in the order in which they came. */
export type TakeTurns = <T>(work: () => Promise<T>) => Promise<T>

/** At most `maxAtOnce` run and `maxWaiting` wait; what comes beyond that rejects with SERVICE_UNAVAILABLE at once. */
export function createTurns({ maxAtOnce, maxWaiting }: { maxAtOnce: number; maxWaiting: number }): TakeTurns {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= maxAtOnce) {
      if (waiting.length >= maxWaiting)
        throw new AppError('SERVICE_UNAVAILABLE', {
          message: 'Too many are signing in at once; try again shortly',
        })
      // Whoever ends hands their place on, so that nobody overtakes.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running++
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
