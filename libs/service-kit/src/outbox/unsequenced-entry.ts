import type { DomainEvent, LogEntry, PayloadOf } from '@tms/contracts'
import { publishTraced } from '../broker/publish-traced.ts'
import type { Publisher } from '../broker/publisher.ts'
import { routingKeyOf } from '../broker/topology.ts'
import { currentTraceparent } from '../telemetry/tracer.ts'
import type { Cause } from './publish.ts'

/**
 * Prefix of the routing key: the log receives it, the projections stream, whose readers need sequence numbers, does
 * not.
 */
const ROUTING_PREFIX = 'passing.'

/**
 * Appends an event to the log without the outbox and waits for the confirm; for events that belong to no transaction.
 * It has no sequence number (`seq` 0), so it may be lost, and a second copy must do no harm. Rejects while the broker
 * is unavailable.
 */
export async function publishUnsequenced<E extends DomainEvent>(
  publisher: Publisher,
  event: E,
  payload: PayloadOf<E>,
  { realmId, requestId }: Cause,
): Promise<void> {
  const entry: LogEntry = {
    stream: event.producer,
    source: event.producer,
    seq: 0,
    xid: 0,
    at: Date.now(),
    event: event.name,
    realm_id: realmId,
    request_id: requestId,
    payload,
  }
  const routingKey = ROUTING_PREFIX + routingKeyOf(event.name, realmId)
  const traceparent = currentTraceparent()
  await publishTraced(publisher, [
    { routingKey, name: ROUTING_PREFIX + event.name, body: JSON.stringify(entry), traceparent },
  ])
}
