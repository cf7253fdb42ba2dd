import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A span as a collector receives it. */
export interface CollectedSpan {
  readonly traceId: string
  readonly spanId: string
  /** Empty for the root of a trace. */
  readonly parentSpanId: string
  readonly name: string
  /** `service.name` of the process that made it. */
  readonly service: string
  readonly attributes: Readonly<Record<string, unknown>>
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[]
  /** UNIX time in nanoseconds. */
  readonly start: bigint
  readonly end: bigint
}

/** Receives spans as OTLP over HTTP in JSON, and stores them. */
export interface TraceCollector {
  /** Starts listening; returns the variables of services. */
  start(): Promise<NodeJS.ProcessEnv>
  /** The spans of a trace so far. */
  spansOf(traceId: string): CollectedSpan[]
  stop(): void
}

interface Attribute {
  readonly key: string
  readonly value: Readonly<Record<string, unknown>>
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'service' | 'attributes' | 'start' | 'end'> & {
        readonly attributes: readonly Attribute[]
        readonly startTimeUnixNano: string
        readonly endTimeUnixNano: string
      })[]
    }[]
  }[]
}

/** A collector for a system that records only traces that clients request. */
export function createTraceCollector(): TraceCollector {
  const spans: CollectedSpan[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    spans.push(...spansIn(JSON.parse(Buffer.concat(chunks).toString()) as Export))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  return {
    start: async () => {
      await once(server.listen(0, '127.0.0.1'), 'listening')
      return {
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        OTEL_TRACES_SAMPLER: 'parentbased_always_off',
      }
    },
    spansOf: (traceId) => spans.filter((span) => span.traceId === traceId),
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function spansIn({ resourceSpans }: Export): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ startTimeUnixNano, endTimeUnixNano, attributes, ...span }) => ({
        ...span,
        parentSpanId: span.parentSpanId ?? '',
        links: span.links ?? [],
        service: String(valuesOf(resource.attributes)['service.name']),
        attributes: valuesOf(attributes),
        start: BigInt(startTimeUnixNano),
        end: BigInt(endTimeUnixNano),
      })),
    ),
  )
}

function valuesOf(attributes: readonly Attribute[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
