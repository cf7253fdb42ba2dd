import type { DomainEvent, domainEvents, PayloadOf } from '@tms/contracts'
import type { Tx } from '../postgres/transaction.ts'
import { currentTraceparent, inSpan, isTracing, SpanKind } from '../telemetry/tracer.ts'
import { auditOf } from './audit.ts'

type EventsOf<Producer extends keyof typeof domainEvents> =
  (typeof domainEvents)[Producer][keyof (typeof domainEvents)[Producer]]

/** The organization of an event and the request that caused it. */
export interface Cause {
  readonly realmId: number
  readonly requestId: string | null
}

/**
 * Adds a domain event to the outbox of the running transaction: it is published if and only if the transaction
 * commits. Insert it last: the order of inserts under a row lock is the order in the log.
 */
export type Publish<Producer extends keyof typeof domainEvents> = <
  E extends EventsOf<Producer> & DomainEvent,
>(
  tx: Tx,
  event: E,
  payload: PayloadOf<E>,
  cause: Cause,
) => Promise<void>

/** The span that begins an event's path; consumers continue its trace. */
export const CREATING = {
  kind: SpanKind.PRODUCER,
  attributes: { 'messaging.system': 'rabbitmq', 'messaging.operation.type': 'create' },
} as const

/** The publish function of one service; another service's events don't compile. */
export function publisherOf<Producer extends keyof typeof domainEvents>(
  _producer: Producer,
): Publish<Producer> {
  return (tx, event, payload, cause) => {
    if (!isTracing()) return insert(tx, event, payload, cause)
    return inSpan(`create ${event.name}`, CREATING, () => insert(tx, event, payload, cause))
  }
}

async function insert(
  tx: Tx,
  event: DomainEvent,
  payload: unknown,
  { realmId, requestId }: Cause,
): Promise<void> {
  await tx.query({
    name: 'outbox-insert',
    text: 'insert into outbox (event, realm_id, request_id, payload, traceparent, audit) values ($1, $2, $3, $4, $5, $6)',
    values: [
      ...[event.name, realmId, requestId, JSON.stringify(payload), currentTraceparent()],
      auditOf(event, payload),
    ],
  })
  tx.markPublished()
}
