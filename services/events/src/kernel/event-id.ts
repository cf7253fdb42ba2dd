/**
 * Event IDs are made from log offsets, so they increase, and applying the log again after a lost second produces the same IDs.
 * Each offset has 4096 of them: the lower half for the client events of one domain event, the upper half for heartbeats that are sent
 * while the log stays at that offset (a day of them at one in 45 s).
 */
export const IDS_PER_OFFSET = 4096
export const FIRST_HEARTBEAT = 2048

/** `last_event_id` of a queue before its first event. */
export const NO_EVENT = -1

export function eventIdOf(offset: number, index: number): number {
  return offset * IDS_PER_OFFSET + index
}

export function positionOf(eventId: number): { offset: number; index: number } {
  const offset = Math.floor(eventId / IDS_PER_OFFSET)
  return { offset, index: eventId - offset * IDS_PER_OFFSET }
}

/**
 * The ID of a heartbeat on a queue that was empty at `committedOffset`: above every ID that the client has, below every ID that
 * can follow. When a quiet log has used them up, the last repeats.
 */
export function heartbeatIdOf(lastEventId: number, committedOffset: number): number {
  const first = committedOffset * IDS_PER_OFFSET + FIRST_HEARTBEAT
  const highest = (committedOffset + 1) * IDS_PER_OFFSET - 1
  return Math.max(lastEventId, Math.min(highest, Math.max(first, lastEventId + 1)))
}
