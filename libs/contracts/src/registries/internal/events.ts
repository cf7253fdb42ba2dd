// Written by `npm run gen` (tools/barrels.ts).

export * from '../../events/internal/calls.ts'
