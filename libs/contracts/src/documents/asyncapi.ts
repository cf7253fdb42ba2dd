import type { DomainEvent, LogEntry } from '../declarations/domain-event.ts'
import { API_PREFIX } from '../declarations/endpoint.ts'
import { serverVersion } from '../declarations/limits.ts'
import { clientEvents } from '../events/client-events/all.ts'
import { type JsonObject, namedSchemas, outputSchemaWithReferences } from './json-schema.ts'

/** The fields around each payload in the log. */
const envelope = {
  stream: { type: 'string', description: 'Within one stream, `seq` has no gaps.' },
  source: { type: 'string', description: 'The service that publishes it.' },
  seq: {
    type: 'integer',
    description: 'With `stream`, identifies the event, even if it is published several times.',
  },
  xid: { type: 'integer', description: 'The PostgreSQL transaction that made it.' },
  at: {
    type: 'integer',
    description:
      'When it was inserted into the outbox of its producer, or published if it belongs to no transaction: UNIX milliseconds.',
  },
  event: { type: 'string' },
  realm_id: { type: 'integer' },
  request_id: { type: ['string', 'null'], description: 'The request that caused it.' },
  payload: {},
} satisfies Record<keyof LogEntry, JsonObject>

/** The channel of client events. */
const CLIENT_EVENTS = 'client_events'

/** The AsyncAPI 3 document of all events between services and for clients, generated from the declarations. */
export function asyncApiDocument(events: readonly DomainEvent[]): JsonObject {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Team Messaging Service: events',
      version: serverVersion.version,
      description: [
        'Clients receive the events of `client_events` from `GET /events`, or as they happen from `GET /events/stream`; all other',
        'events are between services.',
        'Each domain event is published to the topic exchange `domain.events` with its name and the ID of its organization as',
        'routing key, at least once, in the order of `seq` within a stream. An event without a sequence number (`seq` 0) has',
        '`passing.` before its name and may be lost. The stream queue `domain.log` contains all of them, `domain.projections`',
        'those of users and realm, and `domain.organization.{realm_id}`, where an operator has created it, those of one',
        'organization; `domain.audit` has the entries of the audit log. A configured namespace precedes these names with a dot.',
      ].join('\n'),
    },
    defaultContentType: 'application/json',
    channels: {
      [CLIENT_EVENTS]: clientChannel(),
      ...Object.fromEntries(events.map((event) => [keyOf(event), channelOf(event)])),
    },
    operations: Object.fromEntries([
      [
        `answer_${CLIENT_EVENTS}`,
        {
          action: 'send',
          channel: { $ref: `#/channels/${CLIENT_EVENTS}` },
          title: 'events answers a poll of an event queue',
          tags: [{ name: 'events' }],
        },
      ],
      ...events.map((event) => [
        `publish_${keyOf(event)}`,
        {
          action: 'send',
          channel: { $ref: `#/channels/${keyOf(event)}` },
          title: `${event.producer} publishes ${event.name}`,
          tags: [{ name: event.producer }],
        },
      ]),
    ]),
    components: {
      schemas: {
        LogEntry: { type: 'object', properties: envelope, required: Object.keys(envelope) },
        ...namedSchemas([
          ...clientEvents.map(({ schema }) => schema),
          ...events.map(({ payload }) => payload),
        ]),
      },
    },
  }
}

/** The events in answers to polls, one message per type. */
function clientChannel(): JsonObject {
  return {
    address: `${API_PREFIX}/events`,
    summary:
      'Events for clients: the members of `events` in an answer to `GET /events`, and the `data` of the messages of `GET /events/stream`',
    messages: Object.fromEntries(
      clientEvents.map(({ name, type, summary }) => [
        name,
        { name: type, title: name, summary, payload: { $ref: `#/components/schemas/${name}` } },
      ]),
    ),
    bindings: { http: { bindingVersion: '0.3.0' } },
  }
}

function channelOf(event: DomainEvent): JsonObject {
  return {
    address: `${event.name}.{realm_id}`,
    parameters: { realm_id: { description: 'ID of the organization' } },
    summary: event.summary,
    messages: {
      event: {
        name: event.name,
        summary: event.summary,
        payload: {
          allOf: [{ $ref: '#/components/schemas/LogEntry' }],
          properties: { event: { const: event.name }, payload: outputSchemaWithReferences(event.payload) },
        },
      },
    },
    bindings: {
      amqp: {
        is: 'routingKey',
        exchange: { name: 'domain.events', type: 'topic', durable: true },
        bindingVersion: '0.3.0',
      },
    },
  }
}

/** Keys of the document must not contain dots. */
function keyOf({ name }: DomainEvent): string {
  return name.replaceAll('.', '_')
}
