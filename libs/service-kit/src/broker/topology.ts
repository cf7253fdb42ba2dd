import type { Channel } from './connection.ts'

/** Names of the exchange, of the two streams bound to it, and of the one beside it, within a namespace. */
export interface Topology {
  readonly exchange: string
  /** Every domain event; replicas of events read it. */
  readonly log: string
  /** Only events of users and realm, which other services project: a small fraction of the log. */
  readonly projections: string
  /** Entries of the audit log, which realm stores. Bound to no exchange: relays publish to it by its name. */
  readonly audit: string
}

/** How long the log can be replayed, and so how long all replicas of events may be down without losing queues. */
const LOG_MAX_AGE = '7D'
const LOG_MAX_BYTES = 10 * 1024 ** 3
const PROJECTIONS_MAX_BYTES = 1024 ** 3
const AUDIT_MAX_BYTES = 1024 ** 3
/** Retention drops whole segments, so a segment must be far smaller than the whole. */
const SEGMENT_BYTES = 100 * 1024 ** 2

export function topologyOf(namespace: string): Topology {
  const prefix = namespace === '' ? '' : `${namespace}.`
  return {
    exchange: `${prefix}domain.events`,
    log: `${prefix}domain.log`,
    projections: `${prefix}domain.projections`,
    audit: `${prefix}domain.audit`,
  }
}

/** With what an event is published: organizations may have streams of their own, which are bound by the last part. */
export const routingKeyOf = (event: string, realmId: number): string => `${event}.${realmId}`

/** Declares exchange, streams and bindings; the same from every service, so any may start first. */
export async function declareTopology(
  channel: Channel,
  { exchange, log, projections, audit }: Topology,
): Promise<void> {
  await channel.assertExchange(exchange, 'topic', { durable: true })
  const stream = (maxBytes: number) => ({
    durable: true,
    arguments: {
      'x-queue-type': 'stream',
      'x-max-age': LOG_MAX_AGE,
      'x-max-length-bytes': maxBytes,
      'x-stream-max-segment-size-bytes': SEGMENT_BYTES,
    },
  })
  await channel.assertQueue(log, stream(LOG_MAX_BYTES))
  await channel.bindQueue(log, exchange, '#')
  await channel.assertQueue(projections, stream(PROJECTIONS_MAX_BYTES))
  await channel.assertQueue(audit, stream(AUDIT_MAX_BYTES))
  for (const pattern of ['users.#', 'realm.#']) await channel.bindQueue(projections, exchange, pattern)
}
