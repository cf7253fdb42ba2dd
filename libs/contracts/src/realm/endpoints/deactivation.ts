import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'

/**
 * After a success every credential of the organization is refused, everywhere. SERVICE_UNAVAILABLE may come after the
 * organization was deactivated, when it isn't known to be so everywhere; repeating does no harm.
 */
export const deactivateRealm = endpoint({
  name: 'deactivateRealm',
  owner: 'realm',
  method: 'POST',
  path: '/realm/deactivate',
  auth: 'owner',
  summary: 'Deactivate the organization: nobody can use it until an operator reactivates it',
  response: z.object({}),
})
