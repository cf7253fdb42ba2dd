/**
 * How many ends of answers are kept of a queue. A client that acknowledges as it should has one or none; from as many
 * on, nothing is joined any more until the queue has been empty.
 */
export const MAX_TOLD_ENDS = 64

/**
 * What may have been told already of the events that wait in a queue. Whatever a client has seen it must get again in
 * the same form until it acknowledges it, so what joins events looks here.
 */
export interface Told {
  /** Events with lower IDs may each have been told alone. */
  readonly singlyBelow: number
  /** IDs of the last events of answers, ascending. What comes after one was not there yet when it was told. */
  readonly ends: readonly number[]
}

/** Of an answer in which nothing is to be joined. */
export const TOLD_SINGLY: Told = { singlyBelow: Number.POSITIVE_INFINITY, ends: [] }

/** Reads what is stored with a queue in which something waits: the first ID not told singly, then the ends. */
export function parseTold(text: string): Told {
  const [singlyBelow = 0, ...ends] = text.split('|').map(Number)
  return { singlyBelow, ends }
}

/** Whether two neighbours in a queue may be told as one. */
export function mayBeJoined(earlierId: number, laterId: number, { singlyBelow, ends }: Told): boolean {
  if (earlierId < singlyBelow) return false
  if (ends.length >= MAX_TOLD_ENDS && laterId > (ends.at(-1) ?? 0)) return false
  return !ends.some((end) => earlierId <= end && end < laterId)
}
