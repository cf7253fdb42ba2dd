import type { DomainEvent, LogEntry, PayloadOf } from '@tms/contracts'
import type { Publisher } from '@tms/service-kit'

/**
 * Appends an event of the events service itself to the log and waits for the confirm. These have no place in
 * a stream: applying one twice changes nothing. Rejects while the broker is away.
 */
export async function writeControlEvent<E extends DomainEvent>(
  publisher: Publisher,
  event: E,
  payload: PayloadOf<E>,
  realmId: number,
  requestId: string | null = null,
): Promise<void> {
  const entry: LogEntry = {
    stream: 'events',
    source: 'events',
    seq: 0,
    xid: 0,
    event: event.name,
    realm_id: realmId,
    request_id: requestId,
    payload,
  }
  await publisher.publish([{ routingKey: event.name, body: JSON.stringify(entry) }])
}
