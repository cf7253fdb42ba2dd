import { badRequest, type EndpointInput, type endpoints } from '@tms/contracts'

/** Which entries of an organization are meant. */
export type AuditFilter = Omit<EndpointInput<typeof endpoints.realm.exportAuditLog>, 'format'>

/** Throws BAD_REQUEST for an ID of which it isn't said what it is of. */
export function checkFilter({ target_id, target_type }: AuditFilter): void {
  if (target_id !== undefined && target_type === undefined) throw badRequest('target_id needs target_type')
}
