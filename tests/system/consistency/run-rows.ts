import { type EventQueue, registerQueue, type TestSystem } from '@tms/test-kit'
import { until } from '../support/until.ts'
import type { At, ChangeRow, EventOfChange, Lane, PreparedRow, Turn } from './change-row.ts'
import { createStage, type Stage } from './stage.ts'

/**
 * How often each row is run: half of them are 'on', and each gateway takes half of both. Before a release, or after changes of how
 * services learn of each other's, `CONSISTENCY_TURNS=50` finds what is seldom stale.
 */
export const TURNS = Number(process.env['CONSISTENCY_TURNS'] ?? 12)

/** When a row uses its change: once the change was answered, or once a client got its event. */
export type Moment = 'answer' | 'event'

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
export function startLanes(
  product: TestSystem,
  lanes: readonly Lane[],
  moment: Moment,
): Map<ChangeRow, Promise<RowResult>> {
  const results = new Map<ChangeRow, Promise<RowResult>>()
  for (const { rows } of lanes) {
    const stage = createStage(product)
    let previous: Promise<unknown> = stage.catch(() => {})
    for (const row of rows) {
      const result = previous.then(() => runRow(stage, row, moment))
      results.set(row, result)
      previous = result
    }
  }
  return results
}

async function runRow(promised: Promise<Stage>, row: ChangeRow, moment: Moment): Promise<RowResult> {
  const stale: string[] = []
  let heldAfterMs = 0
  try {
    const stage = await promised
    const prepared = await row.prepare(stage)
    const untilDue = moment === 'event' ? await followEvents(stage, prepared.event) : null
    for (let index = 0; index < TURNS; index++) {
      const turn = { index, isOn: index % 2 === 0 }
      const changing = (index >> 1) % 2
      const [atChanging, atUsing] = [stage.at(changing), stage.at(1 - changing)]
      await prepared.prepareTurn?.(atChanging, turn)
      const due = untilDue?.(turn, 1 - changing)
      const change = prepared.change(atChanging, turn)
      await (due === undefined ? change : Promise.race([due, change.then(() => due)]))
      const dueAt = Date.now()
      const seen = await prepared.use(atUsing, turn)
      await change
      const expected = prepared.expected(turn)
      if (isSame(seen, expected)) continue
      stale.push(`turn ${index}: ${JSON.stringify(seen)} instead of ${JSON.stringify(expected)}`)
      await untilInForce(prepared, atUsing, turn)
      heldAfterMs = Math.max(heldAfterMs, Date.now() - dueAt)
    }
    return { stale, heldAfterMs, error: null }
  } catch (err) {
    return { stale, heldAfterMs, error: err instanceof Error ? err.message : String(err) }
  }
}

/** Follows the row's event at each gateway; resolves, of a turn and a gateway, once a client there has got it. */
async function followEvents(
  { at }: Stage,
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

/** Only measures how late it is, and has the next turn begin with this one's change in force. */
async function untilInForce({ use, expected }: PreparedRow, at: At, turn: Turn): Promise<void> {
  await until(async () => isSame(await use(at, turn), expected(turn)))
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)
