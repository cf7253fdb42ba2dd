import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'

export { type Context as TraceContext, type Span, SpanKind }

/** A span in progress, and the context for work within it. */
export interface OpenSpan {
  readonly span: Span
  readonly context: Context
}

/**
 * Null while tracing is off. One per process, as OpenTelemetry's context is, so that it need not be passed through
 * every function.
 */
let tracer: Tracer | null = null

/** Turns tracing on, or off with null. */
export function setTracer(next: Tracer | null): void {
  tracer = next
}

/** Whether spans are created at all: hot paths check this first. */
export function isTracing(): boolean {
  return tracer !== null
}

/** The current span; null if there is none, or it isn't recorded. */
export function activeSpan(): Span | null {
  if (tracer === null) return null
  const span = trace.getActiveSpan()
  return span?.isRecording() ? span : null
}

/** Starts a span below `parent`, which may be a context without one. Null while tracing is off. */
export function startSpan(name: string, parent: Context, options: SpanOptions = {}): OpenSpan | null {
  if (tracer === null) return null
  const span = tracer.startSpan(name, options, parent)
  return { span, context: trace.setSpan(parent, span) }
}

/**
 * Runs `work` within a new span if it is part of a recorded request, otherwise just runs it: background work begins
 * no trace.
 */
export function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  if (activeSpan() === null) return work()
  return inSpanBelow(context.active(), name, options, work)
}

/** The same for work whose cause is elsewhere, identified by `traceparent`. */
export function inSpanOf<T>(
  traceparent: string | null | undefined,
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  const parent = remoteContext(traceparent)
  return parent === null ? work() : inSpanBelow(parent, name, options, work)
}

async function inSpanBelow<T>(
  parent: Context,
  name: string,
  options: SpanOptions,
  work: () => Promise<T>,
): Promise<T> {
  const open = startSpan(name, parent, options)
  if (open === null) return work()
  try {
    return await runInSpan(open, work)
  } catch (err) {
    markFailed(open.span, kindOf(err))
    throw err
  } finally {
    open.span.end()
  }
}

/** Runs `work` so that everything it does, now and later, belongs to the span. */
export function runInSpan<T>(open: OpenSpan, work: () => T): T {
  return context.with(open.context, work)
}

/** Marks the span's operation as failed, with the kind of error. */
export function markFailed(span: Span, kind: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: kind })
  span.setAttribute('error.type', kind)
}

/** The kind of an error; its message may contain names, which don't belong in a trace. */
export function kindOf(err: unknown): string {
  const code = (err as { code?: unknown } | null)?.code
  if (typeof code === 'string') return code
  return err instanceof Error ? err.name : 'error'
}

/** The trace context in a request's headers (W3C Trace Context); invalid headers count as absent. */
export function contextOfHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Context {
  return propagation.extract(ROOT_CONTEXT, headers)
}

/** The context of a `traceparent`, if that is recorded; null while tracing is off. */
export function remoteContext(traceparent: string | null | undefined): Context | null {
  if (tracer === null || typeof traceparent !== 'string') return null
  const found = propagation.extract(ROOT_CONTEXT, { traceparent })
  return isSampled(trace.getSpan(found)) ? found : null
}

/** The headers by which another process continues the span, recorded or not. */
export function headersOf(open: OpenSpan): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(open.context, headers)
  return headers
}

/** The same as one text, to be stored or sent; null for a span that isn't recorded. */
export function traceparentOf(span: Span): string | null {
  if (!isSampled(span)) return null
  const { traceId, spanId } = span.spanContext()
  return `00-${traceId}-${spanId}-01`
}

/** The current span's `traceparent`; null if no span is recorded. */
export function currentTraceparent(): string | null {
  const span = activeSpan()
  return span === null ? null : traceparentOf(span)
}

/** Fields that link log lines with a recorded trace. */
export function traceFields(span: Span | null | undefined): { trace_id?: string; span_id?: string } {
  if (!span?.isRecording()) return {}
  const { traceId, spanId } = span.spanContext()
  return { trace_id: traceId, span_id: spanId }
}

const isSampled = (span: Span | undefined): boolean =>
  span !== undefined && (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0
