// Written by `npm run gen` (tools/barrels.ts).

export * as events from './internal/events.ts'
export * as messaging from './internal/messaging.ts'
export * as realm from './internal/realm.ts'
export * as users from './internal/users.ts'
