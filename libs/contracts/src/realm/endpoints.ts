import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { realmSettingParameters } from './setting-parameters.ts'

export const getServerSettings = endpoint({
  name: 'getServerSettings',
  owner: 'realm',
  method: 'GET',
  path: '/server_settings',
  auth: 'public',
  summary: 'Public settings of the server and of the organization at this host',
  response: z.object({
    authentication_methods: z.record(z.string(), z.boolean()),
    external_authentication_methods: z.array(
      z.object({
        name: z.string(),
        display_name: z.string(),
        display_icon: z.string().nullable(),
        login_url: z.string(),
        signup_url: z.string(),
      }),
    ),
    service_feature_level: z.int(),
    service_version: z.string(),
    service_merge_base: z.string(),
    zulip_feature_level: z.int(),
    zulip_version: z.string(),
    zulip_merge_base: z.string(),
    push_notifications_enabled: z.boolean(),
    is_incompatible: z.boolean(),
    email_auth_enabled: z.boolean(),
    require_email_format_usernames: z.boolean(),
    realm_uri: z.string(),
    realm_url: z.string(),
    realm_name: z.string().optional(),
    realm_icon: z.string().optional(),
    realm_description: z.string().optional(),
    realm_web_public_access_enabled: z.boolean(),
  }),
})

export const updateRealm = endpoint({
  name: 'updateRealm',
  owner: 'realm',
  method: 'PATCH',
  path: '/realm',
  auth: 'administrator',
  summary: 'Change settings of the organization',
  parameters: realmSettingParameters,
  // What changed: the value, or for a text the word `updated`.
  response: z.looseObject({}),
  errors: ['REQUEST_VARIABLE_INVALID'],
})
