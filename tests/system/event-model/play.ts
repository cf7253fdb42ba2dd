import fc from 'fast-check'
import type { Environment } from './environment.ts'
import { type History, type HistorySize, histories } from './history.ts'
import { runHistory } from './run-history.ts'

/** A run, and where to report its progress. */
export interface Play {
  readonly seed: number
  /** The path of a shrunk history among those of the seed, as fast-check counts. */
  readonly path?: string | undefined
  readonly size: HistorySize
  /** After a failure, search a smaller failing history for at most this time; 0 disables that. */
  readonly shrinkMs?: number
  readonly note: (text: string) => void
}

/** A history that contradicts the guarantees. */
export interface Failure {
  readonly seed: number
  readonly path: string
  readonly problems: readonly string[]
  readonly history: History
}

/**
 * Plays the history of a seed. The same seed makes the same history, but not the same run: it happens in real time. Returns
 * null if the guarantees held.
 */
export async function play(
  environment: Environment,
  { seed, path, size, shrinkMs = 0, note }: Play,
): Promise<Failure | null> {
  let problems: readonly string[] = []
  const property = fc.asyncProperty(histories(size), async (history) => {
    const found = await problemsOf(environment, history, note)
    if (found.length === 0) return
    problems = found
    throw new Error(found[0])
  })
  const result = await fc.check(property, {
    seed,
    numRuns: 1,
    ...(path === undefined ? {} : { path }),
    ...(shrinkMs > 0 ? { skipAllAfterTimeLimit: shrinkMs } : { endOnFailure: true }),
  })
  if (!result.failed) return null
  const [history] = result.counterexample ?? []
  if (history === undefined) throw result.errorInstance
  return { seed, path: result.counterexamplePath ?? '', problems, history }
}

/** Plays a history once; an error before the checks is a problem too. */
export async function problemsOf(
  environment: Environment,
  history: History,
  note: (text: string) => void,
): Promise<readonly string[]> {
  try {
    const { problems, actions, uses, events } = await runHistory(environment, history, note)
    note(`${actions} deeds, ${uses} uses of settings, ${events} events, ${problems.length} problems`)
    return problems
  } catch (err) {
    return [err instanceof Error ? (err.stack ?? err.message) : String(err)]
  }
}
