import type { DomainEvent, LogEntry } from '../domain-event.ts'
import { serverVersion } from '../limits.ts'
import { type JsonObject, outputSchema } from './json-schema.ts'

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

/** The AsyncAPI 3 document of what services tell each other, made from the domain events' declarations alone. */
export function asyncApiDocument(events: readonly DomainEvent[]): JsonObject {
  return {
    asyncapi: '3.0.0',
    info: {
      title: 'Team Messaging Service: domain events',
      version: serverVersion.version,
      description: [
        'Each event is published to the topic exchange `domain.events` with its name as routing key, at least',
        'once, in the order of `seq` within a stream; what passes by without a place (`seq` 0) has `passing.` before its',
        'name and may be lost. Stream queue `domain.log` keeps all of them,',
        '`domain.facts` those of users and realm. A configured namespace precedes these names with a dot.',
      ].join('\n'),
    },
    defaultContentType: 'application/json',
    channels: Object.fromEntries(events.map((event) => [keyOf(event), channelOf(event)])),
    operations: Object.fromEntries(
      events.map((event) => [
        `publish_${keyOf(event)}`,
        {
          action: 'send',
          channel: { $ref: `#/channels/${keyOf(event)}` },
          title: `${event.producer} publishes ${event.name}`,
          tags: [{ name: event.producer }],
        },
      ]),
    ),
    components: {
      schemas: { LogEntry: { type: 'object', properties: envelope, required: Object.keys(envelope) } },
    },
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
          properties: { event: { const: event.name }, payload: outputSchema(event.payload) },
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
