import type { Presentation } from '../rendering/presentation.ts'
import { mayBeJoined, type Told } from './told.ts'

/** A client event before it is written. */
export interface Unwritten {
  readonly eventId: number
  readonly payload: unknown
  readonly presentation: Pick<Presentation, 'joining'>
}

/** An event to write: its payload is its own, or says what all events of a run say. */
export interface Coalesced<E extends Unwritten> {
  /** The newest of the run, whose ID the event has. */
  readonly event: E
  readonly payload: unknown
  readonly isJoined: boolean
}

/**
 * Joins neighbours that say the same of different things, such as each message that someone has read. Nothing passes
 * anything else, and what may have been told comes as it was told.
 */
export function coalesce<E extends Unwritten>(events: readonly E[], told: Told): Coalesced<E>[] {
  return runsOf(events, told).map((run) => {
    const event = run.at(-1) as E
    const { joining } = event.presentation
    if (run.length === 1 || !joining) return { event, payload: event.payload, isJoined: false }
    return { event, payload: joining.join(run.map(({ payload }) => payload)), isJoined: true }
  })
}

function runsOf<E extends Unwritten>(events: readonly E[], told: Told): E[][] {
  const runs: E[][] = []
  let last: E | null = null
  for (const event of events) {
    if (last && isJoinable(last, event, told)) runs.at(-1)?.push(event)
    else runs.push([event])
    last = event
  }
  return runs
}

function isJoinable(earlier: Unwritten, later: Unwritten, told: Told): boolean {
  const { joining } = later.presentation
  return (
    joining !== undefined &&
    joining === earlier.presentation.joining &&
    mayBeJoined(earlier.eventId, later.eventId, told) &&
    joining.fits(earlier.payload, later.payload)
  )
}
