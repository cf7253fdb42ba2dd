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

/** A span that is under way, and the context of what is done within it. */
export interface OpenSpan {
  readonly span: Span
  readonly context: Context
}

/**
 * Null while tracing is off. One for the process, as OpenTelemetry's context is, so that what a request is part of need
 * not be handed through every function.
 */
let tracer: Tracer | null = null

/** Turns tracing on, or off with null. */
export function setTracer(next: Tracer | null): void {
  tracer = next
}

/** Whether spans are made at all: what hot paths ask before anything else. */
export function isTracing(): boolean {
  return tracer !== null
}

/** The span that this is done within; null when there is none, or it isn't recorded. */
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
 * Does work within a span of its own, if it is part of a request that is recorded, else just does it: nothing that goes
 * on by itself begins a trace.
 */
export function inSpan<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  if (activeSpan() === null) return work()
  return inSpanBelow(context.active(), name, options, work)
}

/** The same for what was caused elsewhere, where `traceparent` says so. */
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
    return await within(open, work)
  } catch (err) {
    markFailed(open.span, kindOf(err))
    throw err
  } finally {
    open.span.end()
  }
}

/** Runs work so that what it does, now and later, belongs to the span. */
export function within<T>(open: OpenSpan, work: () => T): T {
  return context.with(open.context, work)
}

/** Says that what the span stands for failed, and how. */
export function markFailed(span: Span, kind: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: kind })
  span.setAttribute('error.type', kind)
}

/** What kind of error it is; its message may name people and things, which have no business in a trace. */
export function kindOf(err: unknown): string {
  const code = (err as { code?: unknown } | null)?.code
  if (typeof code === 'string') return code
  return err instanceof Error ? err.name : 'error'
}

/** What a request's headers say that it is part of (W3C Trace Context); whatever they say wrongly is as if not said. */
export function contextOfHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): Context {
  return propagation.extract(ROOT_CONTEXT, headers)
}

/** What a `traceparent` names, if that is recorded; null while tracing is off. */
export function remoteContext(traceparent: string | null | undefined): Context | null {
  if (tracer === null || typeof traceparent !== 'string') return null
  const found = propagation.extract(ROOT_CONTEXT, { traceparent })
  return isSampled(trace.getSpan(found)) ? found : null
}

/** The headers by which another process goes on with the span, recorded or not. */
export function headersOf(open: OpenSpan): Record<string, string> {
  const headers: Record<string, string> = {}
  propagation.inject(open.context, headers)
  return headers
}

/** The same as one text, for what is stored or sent on; null for a span that isn't recorded. */
export function traceparentOf(span: Span): string | null {
  if (!isSampled(span)) return null
  const { traceId, spanId } = span.spanContext()
  return `00-${traceId}-${spanId}-01`
}

/** The present span's; null when there is none that is recorded. */
export function currentTraceparent(): string | null {
  const span = activeSpan()
  return span === null ? null : traceparentOf(span)
}

/** By which lines of the log are found from a recorded trace, and it from them. */
export function traceFields(span: Span | null | undefined): { trace_id?: string; span_id?: string } {
  if (!span?.isRecording()) return {}
  const { traceId, spanId } = span.spanContext()
  return { trace_id: traceId, span_id: spanId }
}

const isSampled = (span: Span | undefined): boolean =>
  span !== undefined && (span.spanContext().traceFlags & TraceFlags.SAMPLED) !== 0
