// Written by `npm run gen` (tools/barrels.ts).

export * from '../../realm/internal/calls.ts'
