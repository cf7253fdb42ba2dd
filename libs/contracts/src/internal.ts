// Every call between services, by owner and name.

export * as events from './events/internal.ts'
export * as messaging from './messaging/internal.ts'
export * as realm from './realm/internal.ts'
export * as users from './users/internal.ts'
