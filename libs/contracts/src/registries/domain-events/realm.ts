// Written by `npm run gen` (tools/barrels.ts).

export * from '../../realm/events/audit-log.ts'
export * from '../../realm/events/organization.ts'
