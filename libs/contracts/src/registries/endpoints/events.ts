// Written by `npm run gen` (tools/barrels.ts).

export * from '../../events/endpoints/event-queues.ts'
