import type { IncomingMessage } from 'node:http'
import {
  activeSpan,
  contextOfHeaders,
  markFailed,
  type OpenSpan,
  type Span,
  SpanKind,
  startSpan,
  within,
} from './tracer.ts'

/** What a span says of a request that was answered. No paths or addresses: those may hold secrets and name people. */
export interface Served {
  readonly method: string
  /** The path as it was declared; null for one that nobody declared. */
  readonly route: string | null
  readonly status: number
  readonly requestId: string
  readonly userId: number | undefined
}

/** Starts the span of a request that has come in, below what its headers say. Null while tracing is off. */
export function startServerSpan(request: IncomingMessage): OpenSpan | null {
  return startSpan(request.method ?? 'GET', contextOfHeaders(request.headers), { kind: SpanKind.SERVER })
}

/**
 * Serves a request within a span of its own. One that isn't recorded is served as if nothing was traced: what is done
 * for it needs no context then.
 */
export function serveInSpan(request: IncomingMessage, serve: () => Promise<void>): Promise<void> {
  const open = startServerSpan(request)
  if (open === null || !open.span.isRecording()) return serve()
  return within(open, serve).finally(() => open.span.end())
}

/** Says in the present span, if there is one, what became of the request. */
export function describeServed(served: Served): void {
  const span = activeSpan()
  if (span) describeRequest(span, served)
}

/** Says in a request's span what became of it. */
export function describeRequest(span: Span, { method, route, status, requestId, userId }: Served): void {
  if (route !== null) span.updateName(`${method} ${route}`)
  span.setAttributes({
    'http.request.method': method,
    'http.response.status_code': status,
    'tms.request_id': requestId,
    ...(route === null ? {} : { 'http.route': route }),
    ...(userId === undefined ? {} : { 'user.id': String(userId) }),
  })
  // What the client did wrong is no failure of the server's.
  if (status >= 500) markFailed(span, String(status))
}
