// Every domain event, by producer and name.

export * as events from './events/events.ts'
export * as messaging from './messaging/events.ts'
export * as realm from './realm/events.ts'
export * as users from './users/events.ts'
