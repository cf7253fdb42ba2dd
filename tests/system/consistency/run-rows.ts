import { type EventQueue, registerQueue, type TestSystem } from '@tms/test-kit'
import { until } from '../support/until.ts'
import type { At, ChangeRow, EventOfChange, PreparedRow, RowGroup, Turn } from './change-row.ts'
import { createEnvironment, type Environment } from './environment.ts'

/**
 * How often each row runs: half of the turns are 'on', and each gateway takes half of both. Before a release, or after changes
 * of caches between services, `CONSISTENCY_TURNS=50` finds rare stale uses.
 */
export const TURNS = Number(process.env['CONSISTENCY_TURNS'] ?? 12)

/** When a row uses its change: after the change was acknowledged, or after a client received its event. */
export type UseAfter = 'answer' | 'event'

/** The result of a row's turns. */
export interface RowResult {
  /** Turns whose use did not observe the change, each with the observed value. */
  readonly stale: readonly string[]
  /** The longest time until a change was in force, in milliseconds. */
  readonly appliedAfterMs: number
  /** Why the row could not run. */
  readonly error: string | null
}

/** Runs the rows of each group sequentially in a separate organization, groups in parallel. */
export function startRowGroups(
  product: TestSystem,
  rowGroups: readonly RowGroup[],
  useAfter: UseAfter,
): Map<ChangeRow, Promise<RowResult>> {
  const results = new Map<ChangeRow, Promise<RowResult>>()
  let environment = Promise.resolve<unknown>(undefined)
  for (const { rows } of rowGroups) {
    // One at a time: to create all of them at once takes longer than a request may.
    const created: Promise<Environment> = environment.then(() => createEnvironment(product))
    environment = created.catch(() => {})
    let previous: Promise<unknown> = environment
    for (const row of rows) {
      const result = previous.then(() => runRow(created, row, useAfter))
      results.set(row, result)
      previous = result
    }
  }
  return results
}

async function runRow(
  promised: Promise<Environment>,
  row: ChangeRow,
  useAfter: UseAfter,
): Promise<RowResult> {
  const stale: string[] = []
  let appliedAfterMs = 0
  try {
    const environment = await promised
    const prepared = await row.prepare(environment)
    const waitUntilDue = useAfter === 'event' ? await followEvents(environment, prepared.event) : null
    for (let index = 0; index < TURNS; index++) {
      const turn = { index, isOn: index % 2 === 0 }
      const changing = (index >> 1) % 2
      const [atChanging, atUsing] = [environment.at(changing), environment.at(1 - changing)]
      await prepared.prepareTurn?.(atChanging, turn)
      const due = waitUntilDue?.(turn, 1 - changing)
      const change = prepared.change(atChanging, turn)
      await (due === undefined ? change : Promise.race([due, change.then(() => due)]))
      const dueAt = Date.now()
      const observed = await prepared.use(atUsing, turn)
      await change
      const expected = prepared.expected(turn)
      if (isSame(observed, expected)) continue
      stale.push(`turn ${index}: ${JSON.stringify(observed)} instead of ${JSON.stringify(expected)}`)
      await waitUntilApplied(prepared, atUsing, turn)
      appliedAfterMs = Math.max(appliedAfterMs, Date.now() - dueAt)
    }
    return { stale, appliedAfterMs, error: null }
  } catch (err) {
    return { stale, appliedAfterMs, error: err instanceof Error ? err.message : String(err) }
  }
}

/**
 * Follows the row's event at each gateway. The returned function resolves once a client at a gateway received the event of a
 * turn.
 */
async function followEvents(
  { at }: Environment,
  event: EventOfChange | undefined,
): Promise<(turn: Turn, gateway: number) => Promise<unknown>> {
  if (event === undefined) throw new Error('the row has no event')
  const queues: EventQueue[] = []
  for (const gateway of [0, 1]) {
    const queue = await registerQueue(at(gateway)(event.watcher), {
      event_types: [event.type],
      client_capabilities: { notification_settings_null: true, linkifier_url_template: true },
    })
    queues.push(queue.follow())
  }
  return async (turn, gateway) => {
    const queue = queues[gateway] as EventQueue
    const from = queue.events.length
    await queue.until(
      () => queue.events.slice(from).some((one) => event.isOfTurn(one, turn)),
      `the event of turn ${turn.index}`,
    )
  }
}

/** Measures the delay, and lets the next turn start with this change in force. */
async function waitUntilApplied({ use, expected }: PreparedRow, at: At, turn: Turn): Promise<void> {
  await until(async () => isSame(await use(at, turn), expected(turn)))
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
