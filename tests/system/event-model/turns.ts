/** Numbers that are counted up, and those who wait for one of them. */
export interface Turns {
  /** It is now this number's turn. */
  reach(number: number): void
  /** Resolves once it is, or was, that number's turn. */
  when(number: number): Promise<void>
}

/** Begins at 0. */
export function createConcurrencyLimit(): Turns {
  let reached = 0
  const waiting: { readonly number: number; readonly resolve: () => void }[] = []
  return {
    reach: (number) => {
      reached = Math.max(reached, number)
      for (const waiter of waiting) if (waiter.number <= reached) waiter.resolve()
    },
    when: (number) =>
      new Promise((resolve) => {
        if (number <= reached) resolve()
        else waiting.push({ number, resolve })
      }),
  }
}
