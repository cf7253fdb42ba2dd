import { AppError } from '@tms/contracts'

/** Runs works a few at a time, in the order in which they came. */
export type LimitConcurrency = <T>(work: () => Promise<T>) => Promise<T>

/**
 * At most `maxAtOnce` run and `maxWaiting` wait; what comes beyond that rejects at once with SERVICE_UNAVAILABLE and
 * `refusal` for a message.
 */
export function createConcurrencyLimit({
  maxAtOnce,
  maxWaiting,
  refusal,
}: {
  readonly maxAtOnce: number
  readonly maxWaiting: number
  readonly refusal: string
}): LimitConcurrency {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running >= maxAtOnce) {
      if (waiting.length >= maxWaiting) throw new AppError('SERVICE_UNAVAILABLE', { message: refusal })
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
