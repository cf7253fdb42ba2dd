import {
  isTracing,
  kindOf,
  markFailed,
  remoteContext,
  type Span,
  SpanKind,
  startSpan,
  traceparentOf,
} from '../telemetry/tracer.ts'
import type { OutgoingMessage, Publisher } from './publisher.ts'

/**
 * Publishes, with a span for each message that is part of a recorded trace: from when it is handed to the broker
 * until the broker has confirmed it. Consumers continue the trace from that span.
 */
export async function publishTraced(
  publisher: Publisher,
  messages: readonly OutgoingMessage[],
): Promise<void> {
  if (!isTracing()) return publisher.publish(messages)
  const spans: Span[] = []
  const sent = messages.map((message) => {
    const parent = remoteContext(message.traceparent)
    const open =
      parent && startSpan(`send ${message.name ?? message.routingKey}`, parent, sendOptions(message))
    if (!open) return message
    spans.push(open.span)
    return { ...message, traceparent: traceparentOf(open.span) }
  })
  try {
    await publisher.publish(sent)
  } catch (err) {
    for (const span of spans) markFailed(span, kindOf(err))
    throw err
  } finally {
    for (const span of spans) span.end()
  }
}

const sendOptions = ({ routingKey, body }: OutgoingMessage) => ({
  kind: SpanKind.PRODUCER,
  attributes: {
    'messaging.system': 'rabbitmq',
    'messaging.operation.type': 'send',
    'messaging.rabbitmq.destination.routing_key': routingKey,
    'messaging.message.body.size': Buffer.byteLength(body),
  },
})
