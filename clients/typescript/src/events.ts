import type { EventsByType } from './generated/events.ts'

/** Types of events that a client may ask for. Heartbeats keep connections alive; streams keep them to themselves. */
export type EventType = Exclude<keyof EventsByType, 'heartbeat'>

/** The events of a type; of several types, all of them, to be told apart by `type` and `op`. */
export type EventOf<T extends EventType = EventType> = EventsByType[T]
