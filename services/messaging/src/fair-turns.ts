import { AppError } from '@tms/contracts'

/** Runs works a few at a time. Those of one author run one at a time in their order, and authors take turns. */
export type TakeFairTurn = <T>(authorId: number, work: () => Promise<T>) => Promise<T>

interface Waiting {
  readonly begin: () => void
  readonly refuse: () => void
}

/**
 * At most `maxAtOnce` run. However much one author has to do, another waits for one work of theirs. A work that doesn't
 * begin within `maxWaitMs` milliseconds rejects with SERVICE_UNAVAILABLE and `refusal` for a message, and never begins.
 * So does at once, where more than `maxWaiting` wait, the last work of whoever has most of them.
 */
export function createFairTurns({
  maxAtOnce,
  maxWaiting,
  maxWaitMs,
  refusal,
}: {
  readonly maxAtOnce: number
  readonly maxWaiting: number
  readonly maxWaitMs: number
  readonly refusal: string
}): TakeFairTurn {
  /** By author; whose turn is next comes first, and nobody's line is empty. */
  const lines = new Map<number, Waiting[]>()
  let waiting = 0
  /** Authors of works that have begun and not ended. */
  const running = new Set<number>()

  /** Takes a work out of its author's line. */
  const leave = (authorId: number, line: Waiting[], work: Waiting): void => {
    line.splice(line.indexOf(work), 1)
    if (line.length === 0) lines.delete(authorId)
    waiting--
  }

  const beginNext = (): void => {
    const next = [...lines].find(([authorId]) => !running.has(authorId))
    if (!next) return
    const [authorId, line] = next
    running.add(authorId)
    // Whoever has more to do goes to the end.
    lines.delete(authorId)
    lines.set(authorId, line)
    line[0]?.begin()
  }

  const refuseMostOf = (): void => {
    const longest = [...lines.values()].reduce((most, line) => (line.length >= most.length ? line : most))
    longest.at(-1)?.refuse()
  }

  const waitForTurn = (authorId: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const line = lines.get(authorId) ?? []
      const end = (settle: () => void) => () => {
        clearTimeout(timer)
        leave(authorId, line, work)
        settle()
      }
      const refuse = () => reject(new AppError('SERVICE_UNAVAILABLE', { message: refusal }))
      const work: Waiting = { begin: end(resolve), refuse: end(refuse) }
      const timer = setTimeout(work.refuse, maxWaitMs)
      line.push(work)
      lines.set(authorId, line)
      waiting++
      if (waiting > maxWaiting) refuseMostOf()
    })

  return async (authorId, work) => {
    if (running.size >= maxAtOnce || running.has(authorId)) await waitForTurn(authorId)
    else running.add(authorId)
    try {
      return await work()
    } finally {
      running.delete(authorId)
      beginNext()
    }
  }
}
