import type { EventsByType } from './generated/events.ts'

/** Types of events that a client may request. Heartbeats only keep connections alive; streams don't yield them. */
export type EventType = Exclude<keyof EventsByType, 'heartbeat'>

/** The events of a type, or of several types, distinguished by `type` and `op`. */
export type EventOf<T extends EventType = EventType> = EventsByType[T]
