import type { IncomingMessage } from 'node:http'
import {
  activeSpan,
  contextOfHeaders,
  markFailed,
  type OpenSpan,
  runInSpan,
  type Span,
  SpanKind,
  startSpan,
} from './tracer.ts'

/** What a span contains of an answered request. No paths or addresses: those may contain secrets and names. */
export interface Served {
  readonly method: string
  /** The declared path; null for an undeclared one. */
  readonly route: string | null
  readonly status: number
  readonly requestId: string
  readonly userId: number | undefined
}

type TracedRequest = Pick<IncomingMessage, 'method' | 'headers'>

/** Starts the span of an incoming request, as a child of the span in its headers. Null while tracing is off. */
export function startServerSpan(request: TracedRequest): OpenSpan | null {
  return startSpan(request.method ?? 'GET', contextOfHeaders(request.headers), { kind: SpanKind.SERVER })
}

/**
 * Serves a request within a span of its own. One that isn't recorded is served as if tracing was off: nothing needs a
 * context then.
 */
export function serveInSpan(request: TracedRequest, serve: () => Promise<void>): Promise<void> {
  const open = startServerSpan(request)
  if (open === null || !open.span.isRecording()) return serve()
  return runInSpan(open, serve).finally(() => open.span.end())
}

/** Adds the outcome of a request to the current span, if there is one. */
export function describeServed(served: Served): void {
  const span = activeSpan()
  if (span) describeRequest(span, served)
}

/** Adds the outcome of a request to its span. */
export function describeRequest(span: Span, { method, route, status, requestId, userId }: Served): void {
  if (route !== null) span.updateName(`${method} ${route}`)
  span.setAttributes({
    'http.request.method': method,
    'http.response.status_code': status,
    'tms.request_id': requestId,
    ...(route === null ? {} : { 'http.route': route }),
    ...(userId === undefined ? {} : { 'user.id': String(userId) }),
  })
  // A client error is no failure of the server.
  if (status >= 500) markFailed(span, String(status))
}
