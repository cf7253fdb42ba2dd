/** What a replica of events needs to know of a poll that waits, or of a stream. */
export interface PollQuery {
  readonly queueId: string
  /** Null if the client acknowledges nothing. */
  readonly lastEventId: number | null
}

const QUEUE_ID = /^[\w-]{1,100}$/
const EVENT_ID = /^(?:-1|\d{1,15})$/

/**
 * The query of a poll as clients usually send it; null for every other, which goes to events as a request: one that doesn't wait or
 * opens a queue, unknown parameters, and values that may be wrong.
 */
export function pollQueryOf(url: string): PollQuery | null {
  const queryAt = url.indexOf('?')
  if (queryAt < 0) return null
  let queueId: string | null = null
  let lastEventId: number | null = null
  for (const pair of url.slice(queryAt + 1).split('&')) {
    const equalsAt = pair.indexOf('=')
    if (equalsAt < 0) return null
    const value = pair.slice(equalsAt + 1)
    switch (pair.slice(0, equalsAt)) {
      case 'queue_id':
        if (queueId !== null || !QUEUE_ID.test(value)) return null
        queueId = value
        break
      case 'last_event_id':
        if (lastEventId !== null || !EVENT_ID.test(value)) return null
        lastEventId = Number(value)
        break
      case 'dont_block':
        if (value !== 'false') return null
        break
      default:
        return null
    }
  }
  return queueId === null ? null : { queueId, lastEventId }
}

/**
 * The query of a stream as clients usually send it, with the header `Last-Event-ID`, which counts more than the parameter; null for every
 * other.
 */
export function streamQueryOf(url: string, lastEventIdHeader: string | undefined): PollQuery | null {
  const query = pollQueryOf(url)
  if (query === null || lastEventIdHeader === undefined || lastEventIdHeader === '') return query
  return EVENT_ID.test(lastEventIdHeader) ? { ...query, lastEventId: Number(lastEventIdHeader) } : null
}
