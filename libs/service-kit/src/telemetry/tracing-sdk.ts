import { hostname } from 'node:os'
import { trace } from '@opentelemetry/api'
import { ExportResultCode, setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node'
import { serverVersion } from '@tms/contracts'
import type { Logger } from './log.ts'
import { setTracer } from './tracer.ts'
import type { TracingSettings } from './tracing-settings.ts'

/** How long spans wait to be sent together; somebody who watches traces live wants them soon. */
const EXPORT_EVERY_MS = 1_000
const EXPORT_TIMEOUT_MS = 5_000

/** Sets up OpenTelemetry for the process, and the kit's tracer with it. */
export function startSdk(
  service: string,
  endpoint: string,
  settings: TracingSettings,
  log: Logger,
): { stop(): Promise<void> } {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: settings.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.version': serverVersion.version,
      'host.name': hostname(),
      'process.pid': process.pid,
      ...settings.OTEL_RESOURCE_ATTRIBUTES,
      'service.name': settings.OTEL_SERVICE_NAME ?? `tms-${service}`,
    }),
    sampler: samplerOf(settings),
    spanProcessors: [
      new BatchSpanProcessor(logFailures(exporter, log), { scheduledDelayMillis: EXPORT_EVERY_MS }),
    ],
  })
  // `logFailures` logs failed exports, once; the SDK would log them again, each time.
  setGlobalErrorHandler(() => {})
  provider.register({ propagator: new W3CTraceContextPropagator() })
  setTracer(trace.getTracer('tms'))
  log.info({ endpoint, sampler: settings.OTEL_TRACES_SAMPLER }, 'requests are traced')
  return {
    stop: async () => {
      setTracer(null)
      await provider.shutdown()
    },
  }
}

/** Logs once when the collector can't be reached, and once when it can again. */
function logFailures(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code === ExportResultCode.FAILED
        if (failed && !isFailing) {
          log.warn({ err: result.error }, 'traces cannot be delivered, spans are dropped meanwhile')
        } else if (!failed && isFailing) log.info('traces are delivered again')
        isFailing = failed
        done(result)
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  }
}

function samplerOf(settings: TracingSettings): Sampler {
  const ofShare = new TraceIdRatioBasedSampler(settings.OTEL_TRACES_SAMPLER_ARG)
  const following = (root: Sampler) => new ParentBasedSampler({ root })
  switch (settings.OTEL_TRACES_SAMPLER) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return ofShare
    case 'parentbased_always_on':
      return following(new AlwaysOnSampler())
    case 'parentbased_always_off':
      return following(new AlwaysOffSampler())
    case 'parentbased_traceidratio':
      return following(ofShare)
  }
}
