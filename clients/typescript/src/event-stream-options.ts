import type { ApiError, NoAnswerError } from './errors.ts'
import type { EventType } from './events.ts'
import type { RegisterAnswer } from './generated/answers.ts'
import type { RegisterParameters } from './generated/parameters.ts'

/** What these events are about and how they come: parameters of register, and what concerns this end. */
export interface EventStreamOptions<T extends EventType = EventType>
  extends Omit<RegisterParameters, 'event_types'> {
  /** Which types of events come; all by default. */
  readonly event_types?: readonly T[]
  /** Ends the stream: the loop over it ends as if there were no more events. */
  readonly signal?: AbortSignal | undefined
  /** How long the server may take to come in the first place: 60,000 by default. Later it is tried until it is back. */
  readonly startTimeoutMs?: number | undefined
  /** Hears of each failure after which the stream goes on. */
  readonly onRetry?: ((problem: Problem) => void) | undefined
}

/** Why the stream hears nothing at the moment. */
export interface Problem {
  readonly error: ApiError | NoAnswerError
  /** Until it tries again. */
  readonly delayMs: number
}

/**
 * The first item of a stream, and what comes again when the server has dropped the queue (it was idle for too long, or
 * its data were lost): `state` is all that the client knows now, and the events that follow fit to it exactly. What
 * happened between the queues comes as no event.
 */
export interface Registered {
  readonly type: 'registered'
  /** Nothing came before it. */
  readonly isFirst: boolean
  readonly state: RegisterAnswer
}
