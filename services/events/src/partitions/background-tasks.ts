/** Tasks on several partitions, some of which may take long without delaying the others. */
export interface BackgroundTasks {
  /**
   * Runs a task for each number in parallel, unless the same task of that number is still running. Resolves when all are done or
   * after the maximum wait; slower tasks continue in the background.
   */
  runEach(numbers: readonly number[], name: string, task: (number: number) => Promise<void>): Promise<void>
  /** Throws the first error of a task since the last call, if there was one. */
  throwFailure(): void
}

export function createBackgroundTasks(maxWaitMs: number): BackgroundTasks {
  const running = new Set<string>()
  let failures: unknown[] = []

  return {
    runEach: async (numbers, name, task) => {
      const tasks = numbers.map(async (number) => {
        const key = `${name}:${number}`
        if (running.has(key)) return
        running.add(key)
        try {
          await task(number)
        } catch (err) {
          failures.push(err)
        } finally {
          running.delete(key)
        }
      })
      let timer: NodeJS.Timeout | undefined
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, maxWaitMs)
      })
      await Promise.race([Promise.all(tasks), timeout])
      clearTimeout(timer)
    },
    throwFailure: () => {
      const [first] = failures
      failures = []
      if (first !== undefined) throw first
    },
  }
}
