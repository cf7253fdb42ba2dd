import { AppError } from '@tms/contracts'

/**
 * Runs tasks, a few at a time. Tasks of one author run one after another in their order, and authors take turns.
 */
export type RunInFairQueue = <T>(authorId: number, task: () => Promise<T>) => Promise<T>

interface WaitingTask {
  readonly start: () => void
  readonly refuse: () => void
}

/**
 * At most `maxAtOnce` tasks run. However many tasks one author has, another author waits for only one of them. A
 * task that doesn't start within `maxWaitMs` milliseconds is rejected with SERVICE_UNAVAILABLE and the message
 * `refusal`. If more than `maxWaiting` tasks wait, the last task of the author with most of them is rejected at
 * once.
 */
export function createFairQueue({
  maxAtOnce,
  maxWaiting,
  maxWaitMs,
  refusal,
}: {
  readonly maxAtOnce: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
  readonly refusal: string
}): RunInFairQueue {
  /** By author, the next one first; no queue is empty. */
  const queues = new Map<number, WaitingTask[]>()
  let waiting = 0
  /** Authors of running tasks. */
  const running = new Set<number>()

  /** Removes a task from the queue of its author. */
  const removeTask = (authorId: number, queue: WaitingTask[], task: WaitingTask): void => {
    queue.splice(queue.indexOf(task), 1)
    if (queue.length === 0) queues.delete(authorId)
    waiting--
  }

  const startNext = (): void => {
    const next = [...queues].find(([authorId]) => !running.has(authorId))
    if (!next) return
    const [authorId, queue] = next
    running.add(authorId)
    // An author with more tasks goes to the end.
    queues.delete(authorId)
    queues.set(authorId, queue)
    queue[0]?.start()
  }

  const rejectFromLongest = (): void => {
    const longest = [...queues.values()].reduce((most, queue) => (queue.length >= most.length ? queue : most))
    longest.at(-1)?.refuse()
  }

  const waitForTurn = (authorId: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(authorId) ?? []
      const finishWaiting = (settle: () => void) => () => {
        clearTimeout(timer)
        removeTask(authorId, queue, task)
        settle()
      }
      const refuse = () => reject(new AppError('SERVICE_UNAVAILABLE', { message: refusal }))
      const task: WaitingTask = { start: finishWaiting(resolve), refuse: finishWaiting(refuse) }
      const timer = setTimeout(task.refuse, maxWaitMs)
      queue.push(task)
      queues.set(authorId, queue)
      waiting++
      if (waiting > maxWaiting) rejectFromLongest()
    })

  return async (authorId, task) => {
    if (running.size >= maxAtOnce || running.has(authorId)) await waitForTurn(authorId)
    else running.add(authorId)
    try {
      return await task()
    } finally {
      running.delete(authorId)
      startNext()
    }
  }
}
