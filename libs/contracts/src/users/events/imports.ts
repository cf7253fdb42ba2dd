import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { userGroupProjection } from '../groups.ts'
import { userProjection } from '../records.ts'

/** An organization was imported with all its users and groups, in several of these events. Nobody can use it yet. */
export const organizationImported = domainEvent({
  name: 'users.organization_imported.v1',
  producer: 'users',
  summary: 'Users and groups of an organization were imported',
  payload: z.object({ users: z.array(userProjection), groups: z.array(userGroupProjection) }),
  audience: () => [],
  audit: { none: 'The archive brings the entries of the organization; activating it has one.' },
})

/** The import was unfinished, or the organization is being deleted. Projections of its users and groups must be deleted. */
export const usersRemoved = domainEvent({
  name: 'users.users_removed.v1',
  producer: 'users',
  summary: 'All users and groups of an organization were deleted, or those of an unfinished import',
  payload: z.object({ realm_id: z.int() }),
  audience: () => [],
  audit: { none: 'The audit log is deleted with the organization.' },
})
