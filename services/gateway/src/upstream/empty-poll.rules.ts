import type { EndpointOutput, endpoints } from '@tms/contracts'

/** The answer to a poll that nothing came for, or null when the request names no queue to poll again. */
export function emptyPollAnswer(url: string): EndpointOutput<typeof endpoints.events.getEvents> | null {
  const queryAt = url.indexOf('?')
  const queueId = queryAt < 0 ? null : new URLSearchParams(url.slice(queryAt)).get('queue_id')
  return queueId ? { queue_id: queueId, events: [] } : null
}
