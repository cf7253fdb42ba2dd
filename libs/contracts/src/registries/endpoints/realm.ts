// Written by `npm run gen` (tools/barrels.ts).

export * from '../../realm/endpoints/audit-log.ts'
export * from '../../realm/endpoints/calls.ts'
export * from '../../realm/endpoints/deactivation.ts'
export * from '../../realm/endpoints/email-domains.ts'
export * from '../../realm/endpoints/exports.ts'
export * from '../../realm/endpoints/organization.ts'
export * from '../../realm/endpoints/pictures.ts'
export * from '../../realm/endpoints/playgrounds.ts'
export * from '../../realm/endpoints/profile-fields.ts'
