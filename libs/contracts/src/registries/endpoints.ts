// Written by `npm run gen` (tools/barrels.ts).

export * as events from './endpoints/events.ts'
export * as messaging from './endpoints/messaging.ts'
export * as realm from './endpoints/realm.ts'
export * as users from './endpoints/users.ts'
