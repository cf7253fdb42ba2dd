import type { Presentation } from '../rendering/presentation.ts'
import { type DeliveryBoundaries, mayBeJoined } from './delivery-boundaries.ts'

export interface UnrenderedEvent {
  readonly eventId: number
  readonly payload: unknown
  readonly presentation: Pick<Presentation, 'joining'>
}

/** An event to render: a single one, or one that joins a run of events. */
export interface Coalesced<E extends UnrenderedEvent> {
  /** The newest event of the run, whose ID is used. */
  readonly event: E
  readonly payload: unknown
  readonly isJoined: boolean
}

/**
 * Joins neighbouring events that make the same change to different objects, such as the read flag of several messages. Keeps
 * the order of all events, and the form of events that may have been delivered already.
 */
export function coalesce<E extends UnrenderedEvent>(
  events: readonly E[],
  boundaries: DeliveryBoundaries,
): Coalesced<E>[] {
  return splitIntoRuns(events, boundaries).map((run) => {
    const event = run.at(-1) as E
    const { joining } = event.presentation
    if (run.length === 1 || !joining) return { event, payload: event.payload, isJoined: false }
    return { event, payload: joining.join(run.map(({ payload }) => payload)), isJoined: true }
  })
}

function splitIntoRuns<E extends UnrenderedEvent>(
  events: readonly E[],
  boundaries: DeliveryBoundaries,
): E[][] {
  const runs: E[][] = []
  let last: E | null = null
  for (const event of events) {
    if (last && isJoinable(last, event, boundaries)) runs.at(-1)?.push(event)
    else runs.push([event])
    last = event
  }
  return runs
}

function isJoinable(
  earlier: UnrenderedEvent,
  later: UnrenderedEvent,
  boundaries: DeliveryBoundaries,
): boolean {
  const { joining } = later.presentation
  return (
    joining !== undefined &&
    joining === earlier.presentation.joining &&
    mayBeJoined(earlier.eventId, later.eventId, boundaries) &&
    joining.fits(earlier.payload, later.payload)
  )
}
