import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AnyEndpoint } from '@tms/contracts'
import type { OpenSpan } from '@tms/service-kit'

/** One client's request while it is served. Kept for as long as a poll is held, so it stays small. */
export interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  /** `performance.now()` of its arrival. */
  readonly startedAt: number
  /** Null while requests aren't traced. */
  readonly trace: OpenSpan | null
  /** Gives back its place among those that are served at once; null where it got none. */
  release: (() => void) | null
  /** Whether it is answered here, and so told of; the rest is pages. */
  isOfApi: boolean
  endpoint: AnyEndpoint | null
  userId: number | null
  /** What services are told about the caller. */
  token: string
  /** Names and values in turn; empty where no limit applies. */
  limitHeaders: readonly string[]
}
