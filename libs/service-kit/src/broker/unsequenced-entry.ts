import type { DomainEvent, LogEntry, PayloadOf } from '@tms/contracts'
import type { Cause } from '../outbox/publish.ts'
import { publishTraced } from '../tracing/publish-traced.ts'
import { currentTraceparent } from '../tracing/tracer.ts'
import type { Publisher } from './publisher.ts'

/** Before the name of the event: the log takes it, the stream of facts, whose readers go by places, does not. */
const ROUTING_PREFIX = 'passing.'

/**
 * Appends an event to the log past the outbox and waits for the confirm: for what belongs to no transaction. It
 * has no place among its producer's events (`seq` 0), so it may be lost, and a second copy must do no harm.
 * Rejects while the broker is away.
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
    event: event.name,
    realm_id: realmId,
    request_id: requestId,
    payload,
  }
  const routingKey = ROUTING_PREFIX + event.name
  const traceparent = currentTraceparent()
  await publishTraced(publisher, [{ routingKey, body: JSON.stringify(entry), traceparent }])
}
