import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { json, optionalJson, optionalText } from '../../declarations/parameter.ts'

const deviceId = z.int().nonnegative()
/** Base64 of a public key of 32 bytes, and of what it seals: a token, an ID of an app, and names of fields. */
const MAX_KEY_LENGTH = 100
const MAX_SEALED_LENGTH = 2 * (limits.maxPushTokenLength + limits.maxPushAppIdLength)

export const registerClientDevice = endpoint({
  name: 'registerClientDevice',
  owner: 'users',
  method: 'POST',
  path: '/register_client_device',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'Announce a client that gets encrypted notifications',
  description: `It gets them once it has registered its key and its token by \`POST /mobile_push/register\`. You can have ${limits.maxClientDevices}: beyond that the oldest are removed, and all are removed if your API key is replaced. Not for bots.`,
  response: z.object({ device_id: z.int().describe('What the client is called from now on.') }),
})

export const removeClientDevice = endpoint({
  name: 'removeClientDevice',
  owner: 'users',
  method: 'POST',
  path: '/remove_client_device',
  auth: 'user',
  summary: 'Remove a client that gets encrypted notifications',
  parameters: { device_id: json(deviceId, { description: 'Of `POST /register_client_device`.' }) },
  response: z.object({}),
})

export const registerSealedPush = endpoint({
  name: 'registerSealedPush',
  owner: 'users',
  method: 'POST',
  path: '/mobile_push/register',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'Register the key or the token of a client for encrypted notifications',
  description:
    'At first both, later either to replace it; registering the same again succeeds. Whether the sealed token is any good, clients learn from events of the type `device`: `push_token_id`, or `push_registration_error_code`, which leaves everything as it was. A registration of the same token for notifications that are not encrypted ends. Not for bots.',
  parameters: {
    device_id: json(deviceId, { description: 'Of `POST /register_client_device`.' }),
    push_key_id: optionalJson(z.int().nonnegative().max(4_294_967_295), {
      description: 'Number of the key, which the client chooses; with `push_key`.',
    }),
    push_key: optionalText(z.string().max(MAX_KEY_LENGTH), {
      description:
        'Key that notifications are encrypted with (XSalsa20-Poly1305): the byte 0x31 and 32 bytes, in base64.',
    }),
    token_kind: optionalText(z.enum(['fcm', 'apns']), {
      description: 'The service of the token; with the other three.',
    }),
    token_id: optionalText(z.string().max(MAX_KEY_LENGTH), {
      description: 'The first 8 bytes of the SHA-256 of the token, in base64.',
    }),
    bouncer_public_key: optionalText(z.string().max(MAX_KEY_LENGTH), {
      description:
        'The public key that the registration is sealed for, in base64: that of the installation, or of its push relay service.',
    }),
    encrypted_push_registration: optionalText(z.string().max(MAX_SEALED_LENGTH), {
      description:
        'A sealed box of libsodium, in base64, of a JSON object with `token`, `token_kind`, `timestamp` in UNIX seconds, and `ios_app_id`, the bundle ID of an Apple app.',
    }),
  },
  response: z.object({}),
  errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
})

export const testSealedPush = endpoint({
  name: 'testSealedPush',
  owner: 'users',
  method: 'POST',
  path: '/mobile_push/e2ee/test_notification',
  auth: 'user',
  summary: 'Test encrypted notifications of your clients',
  description:
    'Succeeds if there is a client that has registered its token, if no other is named; whether it arrives, only the client can say.',
  parameters: {
    device_id: optionalJson(deviceId, {
      description: 'One client; absent: all that have registered.',
    }),
  },
  response: z.object({}),
  errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
})
