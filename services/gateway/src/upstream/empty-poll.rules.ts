import { type EndpointOutput, type endpoints, queueTiming } from '@tms/contracts'

/** Before the client's own timeout, so that it gets an answer rather than none. */
export const POLL_TIMEOUT_MS = (queueTiming.longpollTimeoutSeconds - 5) * 1000

/** The answer to a poll without events, or null if the request names no queue to poll again. */
export function emptyPollAnswer(url: string): EndpointOutput<typeof endpoints.events.getEvents> | null {
  const queueId = parameterOf(url, 'queue_id')
  return queueId ? { queue_id: queueId, events: [] } : null
}

/** Whether a poll asks not to wait. */
export function wantsAnswerAtOnce(url: string): boolean {
  return url.includes('dont_block') && parameterOf(url, 'dont_block') === 'true'
}

function parameterOf(url: string, name: string): string | null {
  const queryAt = url.indexOf('?')
  return queryAt < 0 ? null : new URLSearchParams(url.slice(queryAt)).get(name)
}
