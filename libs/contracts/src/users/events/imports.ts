import { z } from 'zod'
import { domainEvent } from '../../domain-event.ts'
import { userGroupProjection } from '../groups.ts'
import { userProjection } from '../records.ts'

/** An organization came in with all its users and groups, which several of these tell. Nobody is in it yet. */
export const organizationImported = domainEvent({
  name: 'users.organization_imported.v1',
  producer: 'users',
  summary: 'Users and groups of an organization were imported',
  payload: z.object({ users: z.array(userProjection), groups: z.array(userGroupProjection) }),
  audience: () => [],
})

/** What was told of it is of nobody. */
export const importRemoved = domainEvent({
  name: 'users.import_removed.v1',
  producer: 'users',
  summary: 'Users and groups of an organization that never opened were taken away again',
  payload: z.object({ realm_id: z.int() }),
  audience: () => [],
})
