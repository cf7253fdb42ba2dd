import type { ApiError, NoAnswerError } from './errors.ts'
import type { EventType } from './events.ts'
import type { RegisterAnswer } from './generated/answers.ts'
import type { RegisterParameters } from './generated/parameters.ts'

/** Parameters of register, and options of the stream. */
export interface EventStreamOptions<T extends EventType = EventType>
  extends Omit<RegisterParameters, 'event_types'> {
  /** Types of events to receive; all by default. */
  readonly event_types?: readonly T[]
  /** Ends the stream: the loop ends as if there were no more events. */
  readonly signal?: AbortSignal | undefined
  /** How long to wait for the server at the start: 60,000 by default. Once connected, the stream retries without limit. */
  readonly startTimeoutMs?: number | undefined
  /** Called for each failure after which the stream retries. */
  readonly onRetry?: ((problem: Problem) => void) | undefined
}

/** A failure after which the stream retries. */
export interface Problem {
  readonly error: ApiError | NoAnswerError
  /** Time until the retry. */
  readonly delayMs: number
}

/**
 * The first item of a stream. It comes again when the server has dropped the queue (it was idle for too long, or its data
 * were lost): `state` replaces everything the client knows, and the events that follow continue it exactly. Changes between
 * the queues are in the state only.
 */
export interface Registered {
  readonly type: 'registered'
  /** Whether it is the first item. */
  readonly isFirst: boolean
  readonly state: RegisterAnswer
}
