/** Counts faults, and lets clients wait for one of them. */
export interface FaultCounter {
  /** The fault of this number happens now. */
  advanceTo(number: number): void
  /** Resolves once the fault of this number happened. */
  waitFor(number: number): Promise<void>
}

/** Starts at 0. */
export function createFaultCounter(): FaultCounter {
  let reached = 0
  const waiting: { readonly number: number; readonly resolve: () => void }[] = []
  return {
    advanceTo: (number) => {
      reached = Math.max(reached, number)
      for (const waiter of waiting) if (waiter.number <= reached) waiter.resolve()
    },
    waitFor: (number) =>
      new Promise((resolve) => {
        if (number <= reached) resolve()
        else waiting.push({ number, resolve })
      }),
  }
}
