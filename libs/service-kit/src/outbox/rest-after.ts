/** From so many events in a claim on, more are probably coming as fast. */
const CROWD = 4
const REST = { times: 3, maxMs: 25 }

/**
 * How long the relay rests, in milliseconds, after it has claimed and published so many events, which took `tookMs`.
 *
 * A claim and a publish cost PostgreSQL, RabbitMQ and every consumer about as much for one event as for forty. So under load the
 * relay is at work for a quarter of the time, and claims four times as many at once: a send then costs an eighth less. What
 * is alone is published at once, and a claim with all that fits (`limit`) has a backlog behind it.
 */
export function restAfter(events: number, tookMs: number, limit: number): number {
  if (events < CROWD || events >= limit) return 0
  return Math.min(REST.times * tookMs, REST.maxMs)
}
