// Written by `npm run gen` (tools/barrels.ts).

export * as events from './domain-events/events.ts'
export * as messaging from './domain-events/messaging.ts'
export * as realm from './domain-events/realm.ts'
export * as users from './domain-events/users.ts'
