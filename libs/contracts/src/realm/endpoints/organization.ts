import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits, refusedClients } from '../../declarations/limits.ts'
import { json, pathId, pathRest, pathText, text } from '../../declarations/parameter.ts'
import { customEmoji, linkifier } from '../records.ts'
import { realmSettingParameters } from '../setting-parameters.ts'

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
    web_push_public_key: z
      .string()
      .nullable()
      .describe('The `applicationServerKey` for subscriptions to Web Push; null: none is sent.'),
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

export const checkCompatibility = endpoint({
  name: 'checkCompatibility',
  owner: 'realm',
  method: 'GET',
  prefix: '',
  path: '/compatibility',
  auth: 'public',
  summary: 'Check whether the client, by its `User-Agent`, is recent enough',
  description: `Refuses \`${refusedClients.onAndroid.name}\` on Android before ${refusedClients.onAndroid.oldest.join('.')} and, so that clients can test it, \`${refusedClients.incompatible}\`.`,
  response: z.object({}),
})

export const updateRealm = endpoint({
  name: 'updateRealm',
  owner: 'realm',
  method: 'PATCH',
  path: '/realm',
  auth: 'administrator',
  summary: 'Change settings of the organization',
  parameters: realmSettingParameters,
  // The changed settings: the value, or for a text the word `updated`.
  response: z.looseObject({}),
  errors: ['REQUEST_VARIABLE_INVALID', 'EXPECTATION_MISMATCH', 'SYSTEM_GROUP_REQUIRED'],
})

export const listLinkifiers = endpoint({
  name: 'listLinkifiers',
  owner: 'realm',
  method: 'GET',
  path: '/realm/linkifiers',
  auth: 'user',
  summary: 'List the linkifiers, in the order in which they apply',
  response: z.object({ linkifiers: z.array(linkifier) }),
})

export const reorderLinkifiers = endpoint({
  name: 'reorderLinkifiers',
  owner: 'realm',
  method: 'PATCH',
  path: '/realm/linkifiers',
  auth: 'administrator',
  summary: 'Put the linkifiers in another order',
  parameters: {
    ordered_linkifier_ids: json(z.array(z.int()).max(limits.maxListLength), {
      description: 'Every ID once.',
    }),
  },
  response: z.object({}),
})

export const listFilters = endpoint({
  name: 'listFilters',
  owner: 'realm',
  method: 'GET',
  path: '/realm/filters',
  auth: 'user',
  summary: 'List the linkifiers as older clients know them',
  description:
    'Deprecated: use `GET /realm/linkifiers`, which also has linkifiers whose template is more than text with variables.',
  response: z.object({
    filters: z
      .array(z.tuple([z.string(), z.string(), z.int()]))
      .describe('Pattern, URL with `%(name)s` for each variable, and ID, in the order in which they apply.'),
  }),
})

const linkifierParameters = {
  pattern: text(z.string(), { description: 'A regular expression of RE2; named groups are `(?P<name>…)`.' }),
  url_template: text(z.string(), { description: 'RFC 6570; its variables are the named groups.' }),
}

/** Errors have `errors`: the problems by field, or under `__all__` those of the whole. */
export const addLinkifier = endpoint({
  name: 'addLinkifier',
  owner: 'realm',
  method: 'POST',
  path: '/realm/filters',
  auth: 'administrator',
  summary: 'Add a linkifier',
  parameters: linkifierParameters,
  response: z.object({ id: z.int() }),
})

/** Errors as for `addLinkifier`. */
export const updateLinkifier = endpoint({
  name: 'updateLinkifier',
  owner: 'realm',
  method: 'PATCH',
  path: '/realm/filters/{filter_id}',
  auth: 'administrator',
  summary: 'Change a linkifier',
  pathParameters: { filter_id: pathId },
  parameters: linkifierParameters,
  response: z.object({}),
})

export const removeLinkifier = endpoint({
  name: 'removeLinkifier',
  owner: 'realm',
  method: 'DELETE',
  path: '/realm/filters/{filter_id}',
  auth: 'administrator',
  summary: 'Remove a linkifier',
  pathParameters: { filter_id: pathId },
  response: z.object({}),
})

export const listCustomEmoji = endpoint({
  name: 'listCustomEmoji',
  owner: 'realm',
  method: 'GET',
  path: '/realm/emoji',
  auth: 'user',
  summary: 'List the custom emoji by ID, deactivated ones included',
  response: z.object({ emoji: z.record(z.string(), customEmoji) }),
})

export const uploadCustomEmoji = endpoint({
  name: 'uploadCustomEmoji',
  owner: 'realm',
  method: 'POST',
  path: '/realm/emoji/{emoji_name}',
  auth: 'user',
  summary: 'Add a custom emoji from a picture',
  description: `An organization can have at most ${limits.maxCustomEmoji} custom emoji, and ${limits.maxCustomEmojiEver} including deactivated ones.`,
  pathParameters: { emoji_name: pathText },
  body: 'file',
  maxFileMib: limits.maxPictureMib,
  response: z.object({}),
  errors: ['BAD_IMAGE'],
})

export const deactivateCustomEmoji = endpoint({
  name: 'deactivateCustomEmoji',
  owner: 'realm',
  method: 'DELETE',
  path: '/realm/emoji/{emoji_name}',
  auth: 'user',
  summary: 'Deactivate a custom emoji',
  pathParameters: { emoji_name: pathText },
  response: z.object({}),
  // For a name that no active emoji has.
  errors: ['NO_SUCH_OBJECT'],
})

export const getEmojiPicture = endpoint({
  name: 'getEmojiPicture',
  owner: 'realm',
  method: 'GET',
  prefix: '',
  path: '/user_avatars/{realm_id}/emoji/images/{filename}',
  auth: 'public',
  summary: 'Get the picture of a custom emoji',
  pathParameters: { realm_id: pathId, filename: pathRest },
  answer: 'file',
  response: z.object({}),
})

export const getEmojiData = endpoint({
  name: 'getEmojiData',
  owner: 'realm',
  method: 'GET',
  prefix: '',
  path: '/static/emoji-data.json',
  auth: 'public',
  summary: 'Get the names and codes of all Unicode emoji that the server knows',
  answer: 'file',
  response: z.object({}),
})
