/**
 * Event IDs are made from log offsets, so they increase, and are the same again when a lost second is
 * replayed. Each offset has 4096 of them: the lower half for the events that one domain event becomes, the
 * upper half for heartbeats sent while the log stands there (a day of them at one in 45 s).
 */
export const IDS_PER_OFFSET = 4096
export const FIRST_HEARTBEAT = 2048

/** `last_event_id` of a queue that has delivered nothing. */
export const NO_EVENT = -1

/** The ID of the `index`-th client event of the domain event at `offset`. */
export function eventIdOf(offset: number, index: number): number {
  return offset * IDS_PER_OFFSET + index
}

/** The log offset and index that an event ID was made from. */
export function positionOf(eventId: number): { offset: number; index: number } {
  const offset = Math.floor(eventId / IDS_PER_OFFSET)
  return { offset, index: eventId - offset * IDS_PER_OFFSET }
}

/**
 * The ID of a heartbeat on a queue that was empty when its partition stood at `committedOffset`: above all
 * that the client has, below all that can still come. When a quiet log has used them up, the last repeats.
 */
export function heartbeatIdOf(lastEventId: number, committedOffset: number): number {
  const first = committedOffset * IDS_PER_OFFSET + FIRST_HEARTBEAT
  const highest = (committedOffset + 1) * IDS_PER_OFFSET - 1
  return Math.max(lastEventId, Math.min(highest, Math.max(first, lastEventId + 1)))
}
