/**
 * Maximum number of ends of answers to store for a queue. A client that acknowledges properly has one or none. Once the maximum is
 * reached, no further events are joined until the queue has been empty.
 */
export const MAX_ANSWER_ENDS = 64

/**
 * Boundaries of earlier deliveries of the pending events in a queue. Until a client acknowledges an event, it must get it again in
 * the same form, so events are never joined across a boundary.
 */
export interface DeliveryBoundaries {
  /** Events with lower IDs may have been delivered singly. */
  readonly singlyBelow: number
  /** IDs of the last events of answers, ascending. Later events were not in the queue at that time. */
  readonly ends: readonly number[]
  /** Events after the last end may have been delivered singly by a stream. */
  readonly isSinglyAfter: boolean
}

/** Follows the stored boundaries of a queue that was streamed since it was empty. */
export const STREAMED = '!'

/**
 * Parses the stored boundaries of a queue that isn't empty: the first ID that wasn't delivered singly, then the ends, then
 * `STREAMED` if a stream may have delivered later events.
 */
export function parseDeliveryBoundaries(text: string): DeliveryBoundaries {
  const isSinglyAfter = text.endsWith(STREAMED)
  const [singlyBelow = 0, ...ends] = (isSinglyAfter ? text.slice(0, -STREAMED.length) : text)
    .split('|')
    .map(Number)
  return { singlyBelow, ends, isSinglyAfter }
}
