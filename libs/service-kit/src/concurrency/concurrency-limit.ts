import { AppError } from '@tms/contracts'

/** Runs tasks a few at a time, in the order in which they came. */
export type LimitConcurrency = <T>(work: () => Promise<T>) => Promise<T>

/**
 * At most `maxAtOnce` tasks run and `maxWaiting` wait; a further one rejects at once with SERVICE_UNAVAILABLE and the
 * message `refusal`.
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
      // A finished task passes its slot on, so that a new one can't overtake those that wait.
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
