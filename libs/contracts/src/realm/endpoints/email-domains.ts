import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { json, pathText, text } from '../../declarations/parameter.ts'
import { emailDomain } from '../records.ts'

const allow_subdomains = json(z.boolean(), { description: 'Whether subdomains are included.' })

export const listEmailDomains = endpoint({
  name: 'listEmailDomains',
  owner: 'realm',
  method: 'GET',
  path: '/realm/domains',
  auth: 'user',
  summary: 'List the domains whose addresses may join if the organization is restricted to domains',
  response: z.object({ domains: z.array(emailDomain) }),
})

export const addEmailDomain = endpoint({
  name: 'addEmailDomain',
  owner: 'realm',
  method: 'POST',
  path: '/realm/domains',
  auth: 'owner',
  summary: 'Add a domain whose addresses may join',
  parameters: { domain: text(z.string()), allow_subdomains },
  // Its ID and the domain as it is stored.
  response: z.object({ new_domain: z.tuple([z.int(), z.string()]) }),
})

export const updateEmailDomain = endpoint({
  name: 'updateEmailDomain',
  owner: 'realm',
  method: 'PATCH',
  path: '/realm/domains/{domain}',
  auth: 'owner',
  summary: 'Change whether subdomains of a domain are included',
  pathParameters: { domain: pathText },
  parameters: { allow_subdomains },
  response: z.object({}),
})

export const removeEmailDomain = endpoint({
  name: 'removeEmailDomain',
  owner: 'realm',
  method: 'DELETE',
  path: '/realm/domains/{domain}',
  auth: 'owner',
  summary: 'Remove a domain; if only listed domains may join and none is left, nobody may',
  pathParameters: { domain: pathText },
  response: z.object({}),
})
