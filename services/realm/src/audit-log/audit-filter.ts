import {
  badRequest,
  type DomainEvent,
  domainEvents,
  type EndpointInput,
  type endpoints,
} from '@tms/contracts'

/** Which entries of an organization are meant. */
export type AuditFilter = Omit<EndpointInput<typeof endpoints.realm.exportAuditLog>, 'format'>

/** The actions that entries can have. */
const knownActions = new Set(
  Object.values(domainEvents)
    .flatMap((events) => Object.values<DomainEvent>(events))
    .flatMap(({ audit }) => ('none' in audit ? [] : Object.keys(audit.actions))),
)

/**
 * Throws BAD_REQUEST for an ID of which it isn't said what it is of, and for what no entry can match: an empty answer would look as if
 * nothing had happened.
 */
export function checkFilter({ target_id, target_type, actions, since, until }: AuditFilter): void {
  if (target_id !== undefined && target_type === undefined) throw badRequest('target_id needs target_type')
  const unknown = actions?.find((action) => !knownActions.has(action))
  if (unknown !== undefined) throw badRequest(`There is no action '${unknown}'`)
  if (since !== undefined && until !== undefined && since >= until)
    throw badRequest('since must be before until')
}
