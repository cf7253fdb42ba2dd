import fc from 'fast-check'
import { type History, type HistorySize, histories } from './history.ts'
import { runHistory } from './run-history.ts'
import type { Stage } from './stage.ts'

/** What to play, and what is said meanwhile. */
export interface Play {
  readonly seed: number
  /** Where a shrunk history stands among those that the seed makes; fast-check's. */
  readonly path?: string | undefined
  readonly size: HistorySize
  /** After a failure, look for a smaller history that fails too, at most so long; 0 is not at all. */
  readonly shrinkMs?: number
  readonly note: (text: string) => void
}

/** A history that broke the promise. */
export interface Failure {
  readonly seed: number
  readonly path: string
  readonly problems: readonly string[]
  readonly history: History
}

/**
 * Plays the history that a seed makes. The same seed gives the same history, but not the same run: it happens in real
 * time. Returns null when the promise was kept.
 */
export async function play(
  stage: Stage,
  { seed, path, size, shrinkMs = 0, note }: Play,
): Promise<Failure | null> {
  let problems: readonly string[] = []
  const property = fc.asyncProperty(histories(size), async (history) => {
    const found = await problemsOf(stage, history, note)
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

/** Plays a history once; what stops it before it can be checked is a problem too. */
export async function problemsOf(
  stage: Stage,
  history: History,
  note: (text: string) => void,
): Promise<readonly string[]> {
  try {
    const { problems, deeds, uses, events } = await runHistory(stage, history, note)
    note(`${deeds} deeds, ${uses} uses of settings, ${events} events, ${problems.length} problems`)
    return problems
  } catch (err) {
    return [err instanceof Error ? (err.stack ?? err.message) : String(err)]
  }
}
