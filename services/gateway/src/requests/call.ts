import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyEndpoint } from '@tms/contracts'
import type { OpenSpan } from '@tms/service-kit'

/** A client's request while it is served. Kept for as long as a poll is pending, so it stays small. */
export interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** `performance.now()` of its arrival. */
  readonly startedAt: number
  /** Null while requests aren't traced. */
  readonly trace: OpenSpan | null
  /** Releases its slot among concurrent requests; null if it got none. */
  release: (() => void) | null
  /** Whether it is an API call, which is logged and measured here; the rest are pages. */
  isOfApi: boolean
  endpoint: AnyEndpoint | null
  userId: number | null
  /** Identifies the caller to services. */
  token: string
  /** Names and values in turn; empty if no limit applies. */
  limitHeaders: readonly string[]
  /** Calls a minute that its caller may make, if this one is over that and is forwarded all the same; else null. */
  overLimit: number | null
}
