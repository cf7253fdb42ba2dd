import type { DomainEvent, LogEntry } from '../domain-event.ts'
import { API_PREFIX } from '../endpoint.ts'
import { clientEvents } from '../events/client-events/all.ts'
import { serverVersion } from '../limits.ts'
import { type JsonObject, namedSchemas, outputReferring } from './json-schema.ts'

/** What stands around each payload in the log. */
const envelope = {
  stream: { type: 'string', description: 'Within one stream, `seq` runs without gaps.' },
  source: { type: 'string', description: 'The service that tells it.' },
  seq: { type: 'integer', description: 'With `stream`, identifies the event however often it is published.' },
  xid: { type: 'integer', description: 'The PostgreSQL transaction that made it.' },
  event: { type: 'string' },
  realm_id: { type: 'integer' },
  request_id: { type: ['string', 'null'], description: 'Of the request that caused it.' },
  payload: {},
} satisfies Record<keyof LogEntry, JsonObject>

/** The channel of what clients get. */
const CLIENT_EVENTS = 'client_events'

/** The AsyncAPI 3 document of what services tell each other and their clients, made from declarations alone. */
export function asyncApiDocument(events: readonly DomainEvent[]): JsonObject {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Team Messaging Service: events',
      version: serverVersion.version,
      description: [
        'Clients get the events of `client_events` from `GET /events`; all else is what services tell each other.',
        'Each domain event is published to the topic exchange `domain.events` with its name as routing key, at least',
        'once, in the order of `seq` within a stream; what passes by without a place (`seq` 0) has `passing.` before its',
        'name and may be lost. Stream queue `domain.log` keeps all of them,',
        '`domain.projections` those of users and realm. A configured namespace precedes these names with a dot.',
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

/** What the answers to polls hold, one message for each event. */
function clientChannel(): JsonObject {
  return {
    address: `${API_PREFIX}/events`,
    summary: 'What clients are told: the members of `events` in an answer to `GET /events`',
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
    address: event.name,
    summary: event.summary,
    messages: {
      event: {
        name: event.name,
        summary: event.summary,
        payload: {
          allOf: [{ $ref: '#/components/schemas/LogEntry' }],
          properties: { event: { const: event.name }, payload: outputReferring(event.payload) },
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

/** Keys of the document hold no dots. */
function keyOf({ name }: DomainEvent): string {
  return name.replaceAll('.', '_')
}
