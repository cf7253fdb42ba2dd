import { deleteRows } from '@tms/service-kit'

/** The audit log, which the database lets go with the organization alone. */
export const deleteAuditLog = deleteRows('audit_log', 'realm_id = $1')

/** What couldn't be stored in it. */
export const deleteSetAside = deleteRows('audit_set_aside', 'realm_id = $1')

/** Records of exports: a replica that still makes one gives up, since its lease is gone. */
export const deleteExports = deleteRows('realm_exports', 'realm_id = $1')
