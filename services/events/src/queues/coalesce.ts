import { type DeliveryBoundaries, MAX_ANSWER_ENDS } from '../redis/delivery-boundaries.ts'
import type { Presentation } from '../rendering/presentation.ts'

/**
 * Boundaries that keep all events single, for the events of a commit that a pending poll is answered with. Redis doesn't record
 * which events that answer contained. If the client reads them again, all events that may have been among them are delivered
 * singly (`singlyBelow`), so they must be single the first time too.
 */
export const JOIN_NOTHING: DeliveryBoundaries = {
  singlyBelow: Number.POSITIVE_INFINITY,
  ends: [],
  isSinglyAfter: true,
}

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

/** Whether two neighbouring events of a queue may be joined. */
function mayBeJoined(
  earlierId: number,
  laterId: number,
  { singlyBelow, ends, isSinglyAfter }: DeliveryBoundaries,
): boolean {
  if (earlierId < singlyBelow) return false
  if ((isSinglyAfter || ends.length >= MAX_ANSWER_ENDS) && laterId > (ends.at(-1) ?? -1)) return false
  return !ends.some((end) => earlierId <= end && end < laterId)
}
