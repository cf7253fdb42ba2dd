// Written by `npm run gen` (tools/barrels.ts).

export * from '../../events/events/event-queues.ts'
