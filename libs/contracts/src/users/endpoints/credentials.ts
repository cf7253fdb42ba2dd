import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { optionalJson, optionalText, text } from '../../declarations/parameter.ts'
import { userWithActivity } from '../records.ts'

const credentials = z.object({ api_key: z.string(), email: z.string(), user_id: z.int() })

export const fetchApiKey = endpoint({
  name: 'fetchApiKey',
  owner: 'users',
  method: 'POST',
  path: '/fetch_api_key',
  auth: 'public',
  summary: 'Get an API key for a user name and password',
  description:
    'The user name is an e-mail address, or a name in the directory (LDAP) of an organization that has one; see `require_email_format_usernames` of server settings.',
  parameters: { username: text(z.string()), password: text(z.string()) },
  response: credentials,
  errors: [
    'AUTHENTICATION_FAILED',
    'PASSWORD_AUTH_DISABLED',
    'USER_DEACTIVATED',
    'REALM_DEACTIVATED',
    'NONEXISTENT_SUBDOMAIN',
  ],
})

export const fetchApiKeyByToken = endpoint({
  name: 'fetchApiKeyByToken',
  owner: 'users',
  method: 'POST',
  path: '/jwt/fetch_api_key',
  auth: 'public',
  summary: 'Get an API key for a JSON web token of the organization’s own site',
  description:
    'For organizations whose operator has configured a key. The token has `email` and `exp`, and counts once.',
  parameters: { token: optionalText(z.string()), include_profile: optionalJson(z.boolean()) },
  response: z.object({ api_key: z.string(), email: z.string(), user: userWithActivity.optional() }),
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED', 'NONEXISTENT_SUBDOMAIN'],
})

export const devFetchApiKey = endpoint({
  name: 'devFetchApiKey',
  owner: 'users',
  method: 'POST',
  path: '/dev_fetch_api_key',
  auth: 'public',
  summary: 'Get an API key for a user name alone, on servers for development',
  parameters: { username: text(z.string()) },
  response: credentials,
  errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED', 'REALM_DEACTIVATED', 'NONEXISTENT_SUBDOMAIN'],
})

const devUser = z.object({ email: z.string(), realm_url: z.string(), realm_uri: z.string() })

export const devListUsers = endpoint({
  name: 'devListUsers',
  owner: 'users',
  method: 'GET',
  path: '/dev_list_users',
  auth: 'public',
  summary: 'List the users who can sign in, on servers for development',
  response: z.object({ direct_admins: z.array(devUser), direct_users: z.array(devUser) }),
  errors: ['NONEXISTENT_SUBDOMAIN'],
})

export const regenerateApiKey = endpoint({
  name: 'regenerateApiKey',
  owner: 'users',
  method: 'POST',
  path: '/users/me/api_key/regenerate',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'Replace your API key',
  response: z.object({ api_key: z.string() }),
})
