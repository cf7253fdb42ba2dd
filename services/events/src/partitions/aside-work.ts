/** Work on several things of which some may take long: the others don't wait for those. */
export interface AsideWork {
  /**
   * Does a task for each, side by side, except where the same is still under way. Resolves when all are done, or after a
   * while: what takes longer goes on by itself.
   */
  onEach(numbers: readonly number[], name: string, task: (number: number) => Promise<void>): Promise<void>
  /** Throws what a task has failed with since the last time, if one has. */
  throwFailure(): void
}

export function startAsideWork(patienceMs: number): AsideWork {
  const underWay = new Set<string>()
  let failures: unknown[] = []

  return {
    onEach: async (numbers, name, task) => {
      const tasks = numbers.map(async (number) => {
        const key = `${name}:${number}`
        if (underWay.has(key)) return
        underWay.add(key)
        try {
          await task(number)
        } catch (err) {
          failures.push(err)
        } finally {
          underWay.delete(key)
        }
      })
      let timer: NodeJS.Timeout | undefined
      const patience = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, patienceMs)
      })
      await Promise.race([Promise.all(tasks), patience])
      clearTimeout(timer)
    },
    throwFailure: () => {
      const [first] = failures
      failures = []
      if (first !== undefined) throw first
    },
  }
}
