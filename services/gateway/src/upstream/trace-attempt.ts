import type { AnyEndpoint } from '@tms/contracts'
import { type OpenSpan, SpanKind, startSpan } from '@tms/service-kit'
import type { Call } from '../requests/call.ts'
import type { Replica } from './replica-set.ts'

/** Starts the span of one attempt at a replica; null if the request isn't traced. */
export function startAttemptSpan(call: Call, endpoint: AnyEndpoint, { host }: Replica): OpenSpan | null {
  if (call.trace === null) return null
  return startSpan(`${endpoint.method} ${endpoint.prefix}${endpoint.path}`, call.trace.context, {
    kind: SpanKind.CLIENT,
    attributes: {
      'http.request.method': endpoint.method,
      'server.address': host,
      'tms.upstream': endpoint.owner,
    },
  })
}
