import { defineLockOrder } from '@tms/service-kit'

/** The locks of this service's transactions, in the order in which they are taken. */
export const locks = defineLockOrder({
  auditLog: {
    locks: 'the audit log of all organizations',
    mode: 'row of audit_position, for update',
    order: 'one for each transaction',
    reason: 'entries become visible in the order of their IDs',
  },
  organizations: {
    locks: 'an organization with its parts',
    mode: 'row of realms, for update; for key share to add to its audit log',
    order: 'one for each transaction',
    reason: 'it puts all changes of an organization in order',
  },
  auditLogParts: {
    locks: 'entries of the audit log of a thousand IDs',
    mode: 'row of audit_log_ranges, for update; a trigger takes it when entries are stored',
    order: 'one for each transaction',
    reason: 'it says when they happened, also while some are deleted',
  },
})
