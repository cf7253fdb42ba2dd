// Every endpoint of each service, by name.

export * as events from './events/endpoints.ts'
export * as messaging from './messaging/endpoints.ts'
export * as realm from './realm/endpoints.ts'
export * as users from './users/endpoints.ts'
