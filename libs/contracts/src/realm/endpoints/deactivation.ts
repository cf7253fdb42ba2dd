import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalJson } from '../../declarations/parameter.ts'

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
  parameters: {
    deletion_delay_days: optionalJson(z.int().nonnegative().nullable(), {
      description:
        'Days after which all data of the organization is deleted, unless an operator reactivates it before: between `server_min_deactivated_realm_deletion_days` and `server_max_deactivated_realm_deletion_days`. Null: it is kept, which only an installation without a maximum allows. If absent, it is kept, or deleted after the maximum.',
    }),
  },
  response: z.object({}),
})
