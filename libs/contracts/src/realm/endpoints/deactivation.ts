import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'

/**
 * After a success every credential of the organization is refused, everywhere. SERVICE_UNAVAILABLE may be returned
 * although the organization was deactivated, if it is unknown whether that is visible everywhere; repeating does no
 * harm.
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
