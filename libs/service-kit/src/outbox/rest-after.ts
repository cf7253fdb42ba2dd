/** From so many events in a claim on, more are probably coming as fast. */
const MIN_EVENTS = 4
const REST_LIMITS = { times: 3, maxMs: 25 }

/**
 * How long the relay rests, in milliseconds, after it has claimed and published so many events, which took `tookMs`.
 *
 * A claim and a publish cost PostgreSQL, RabbitMQ and every consumer about as much for one event as for forty. So under load the
 * relay is at work for a quarter of the time, unless it takes longer than 8 ms, and claims some four times as many events
 * at once. A few events are published without a rest, and so is the next batch of a backlog (`hasMore`).
 */
export function restAfter(events: number, tookMs: number, hasMore: boolean): number {
  if (events < MIN_EVENTS || hasMore) return 0
  return Math.min(REST_LIMITS.times * tookMs, REST_LIMITS.maxMs)
}
