import type { TestSystem } from '@tms/test-kit'
import type { ChangeRow, Lane, PreparedRow, Turn } from './change-row.ts'
import { createStage, type Stage } from './stage.ts'

export const TURNS = 50
/** How long a stale row may take until it is in force: too small blames a slow machine, too large hides a wrong row. */
const SETTLE_MS = 5_000
const SETTLE_PAUSE_MS = 10

/** What became of a row's turns. */
export interface RowResult {
  /** Turns in which the use was not served by the change, each with what was seen instead. */
  readonly stale: readonly string[]
  /** The longest time that a change took until it was in force, in milliseconds. */
  readonly heldAfterMs: number
  /** Why the row could not be run. */
  readonly error: string | null
}

/** Runs a lane's rows one after another in an organization of its own, lanes side by side. */
export function startLanes(product: TestSystem, lanes: readonly Lane[]): Map<ChangeRow, Promise<RowResult>> {
  const results = new Map<ChangeRow, Promise<RowResult>>()
  for (const { rows } of lanes) {
    const stage = createStage(product)
    let previous: Promise<unknown> = stage.catch(() => {})
    for (const row of rows) {
      const result = previous.then(() => runRow(stage, row))
      results.set(row, result)
      previous = result
    }
  }
  return results
}

async function runRow(stage: Promise<Stage>, row: ChangeRow): Promise<RowResult> {
  const stale: string[] = []
  let heldAfterMs = 0
  try {
    const { at } = await stage
    const prepared = await row.prepare(await stage)
    for (let index = 0; index < TURNS; index++) {
      const turn = { index, isOn: index % 2 === 0 }
      // Each gateway takes changes of both kinds.
      const changing = (index >> 1) % 2
      const using = 1 - changing
      await prepared.prepareTurn?.(at(changing), turn)
      await prepared.change(at(changing), turn)
      const changedAt = Date.now()
      const seen = await prepared.use(at(using), turn)
      const expected = prepared.expected(turn)
      if (isSame(seen, expected)) continue
      stale.push(`turn ${index}: ${JSON.stringify(seen)} instead of ${JSON.stringify(expected)}`)
      // Only to tell by how much, and so that the next turn begins with this one's change in force.
      await untilInForce(prepared, at(using), turn)
      heldAfterMs = Math.max(heldAfterMs, Date.now() - changedAt)
    }
    return { stale, heldAfterMs, error: null }
  } catch (err) {
    return { stale, heldAfterMs, error: err instanceof Error ? err.message : String(err) }
  }
}

async function untilInForce(
  { use, expected }: PreparedRow,
  at: Parameters<PreparedRow['use']>[0],
  turn: Turn,
): Promise<void> {
  const deadline = Date.now() + SETTLE_MS
  for (;;) {
    const seen = await use(at, turn)
    if (isSame(seen, expected(turn))) return
    if (Date.now() > deadline)
      throw new Error(`turn ${turn.index} never came into force: ${JSON.stringify(seen)}`)
    await new Promise((resolve) => setTimeout(resolve, SETTLE_PAUSE_MS))
  }
}

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
