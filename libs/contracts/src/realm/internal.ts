import { z } from 'zod'
import { internalEndpoint } from '../endpoint.ts'
import { registerStateBody, registerStateResponse } from '../events/register-state.ts'
import { realmFacts } from './records.ts'

/** Creates an organization, or finds the one that has the `string_id`. */
export const ensureRealm = internalEndpoint({
  name: 'ensureRealm',
  owner: 'realm',
  path: '/internal/realms',
  body: z.object({ string_id: z.string(), name: z.string(), url: z.string() }),
  response: z.object({ realm_id: z.int() }),
})

/** The facts of organizations: those asked for, else all. */
export const listRealmFacts = internalEndpoint({
  name: 'listRealmFacts',
  owner: 'realm',
  path: '/internal/realm-facts',
  body: z.object({ realm_ids: z.array(z.int()).optional(), string_ids: z.array(z.string()).optional() }),
  response: z.object({ realms: z.array(realmFacts) }),
})

/** The part of register's initial state that realm owns. */
export const realmRegisterState = internalEndpoint({
  name: 'realmRegisterState',
  owner: 'realm',
  path: '/internal/register-state/realm',
  body: registerStateBody,
  response: registerStateResponse,
  tail: 'state',
})
