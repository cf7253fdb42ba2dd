import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { optionalJson, optionalText, pathId, text } from '../../declarations/parameter.ts'

const tokenSchema = z.string().min(1).max(limits.maxPushTokenLength)
const token = text(tokenSchema, { description: 'Token of the device at its push service.' })
const newToken = text(tokenSchema, {
  description: `Token of the device at its push service. Registering it again succeeds. You can have ${limits.maxPushDevices} devices: beyond that the oldest are removed, and all are removed if your API key is replaced.`,
})
const PEOPLE_ONLY =
  'Notifications are sent if the installation has credentials of the app, as `push_notifications_enabled` says; the token is stored in any case. Not for bots.'
const done = z.object({})
/** Of an installation whose notifications go through a push relay service. */
const RELAY_ERRORS = [
  'PUSH_NOTIFICATIONS_DISALLOWED',
  'FAILED_TO_CONNECT_BOUNCER',
  'INTERNAL_SERVER_ERROR_ON_BOUNCER',
] as const

export const addApnsDevice = endpoint({
  name: 'addApnsDevice',
  owner: 'users',
  method: 'POST',
  path: '/users/me/apns_device_token',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'Register an Apple device',
  description: PEOPLE_ONLY,
  parameters: {
    token: newToken,
    appid: optionalText(z.string().min(1).max(limits.maxPushAppIdLength), {
      description: 'The bundle ID of the app.',
    }),
  },
  response: done,
  errors: RELAY_ERRORS,
})

export const removeApnsDevice = endpoint({
  name: 'removeApnsDevice',
  owner: 'users',
  method: 'DELETE',
  path: '/users/me/apns_device_token',
  auth: 'user',
  summary: 'Remove an Apple device',
  parameters: { token },
  response: done,
})

export const addAndroidDevice = endpoint({
  name: 'addAndroidDevice',
  owner: 'users',
  method: 'POST',
  path: '/users/me/android_gcm_reg_id',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'Register an Android device',
  description: PEOPLE_ONLY,
  parameters: { token: newToken },
  response: done,
  errors: RELAY_ERRORS,
})

export const removeAndroidDevice = endpoint({
  name: 'removeAndroidDevice',
  owner: 'users',
  method: 'DELETE',
  path: '/users/me/android_gcm_reg_id',
  auth: 'user',
  summary: 'Remove an Android device',
  parameters: { token },
  response: done,
})

const endpointUrl = text(z.string().min(1).max(limits.maxPushEndpointLength), {
  description: 'The `endpoint` of the subscription.',
})

export const addWebPushSubscription = endpoint({
  name: 'addWebPushSubscription',
  owner: 'users',
  method: 'POST',
  path: '/users/me/web_push_subscriptions',
  auth: 'user',
  tokenAccess: 'none',
  summary: 'Register a browser or a UnifiedPush distributor',
  description:
    'Notifications are sent to it by Web Push (RFC 8030, 8291, 8292), encrypted for its keys. Browsers subscribe with `web_push_public_key` of `GET /server_settings`. Registering a subscription again replaces it; it counts as a device. Not for bots.',
  parameters: {
    endpoint: endpointUrl,
    p256dh: text(z.string().max(200), { description: 'Its public key: 65 bytes in base64url.' }),
    auth: text(z.string().max(100), { description: 'Its secret: 16 bytes in base64url.' }),
    removals: optionalJson(z.boolean(), {
      description:
        'Whether it also gets what makes notifications disappear that were read elsewhere. For service workers that handle the type `remove`; browsers may show something of their own for a push that shows nothing. Absent: no.',
    }),
  },
  response: done,
  errors: ['PUSH_SERVICE_NOT_CONFIGURED'],
})

export const removeWebPushSubscription = endpoint({
  name: 'removeWebPushSubscription',
  owner: 'users',
  method: 'DELETE',
  path: '/users/me/web_push_subscriptions',
  auth: 'user',
  summary: 'Remove a browser or a UnifiedPush distributor',
  parameters: { endpoint: endpointUrl },
  response: done,
})

export const testPushNotification = endpoint({
  name: 'testPushNotification',
  owner: 'users',
  method: 'POST',
  path: '/mobile_push/test_notification',
  auth: 'user',
  summary: 'Test notifications of your devices',
  description:
    'Sends a notification with the event `test` to devices whose service the installation has credentials of. Succeeds also for a user without devices, but not with the `token` of one that is not registered. Whether it arrives, only the devices can say. ' +
    `You can have ${limits.maxPushTestsPerMinute} tests a minute, those of encrypted notifications included.`,
  parameters: {
    token: optionalText(tokenSchema, {
      description: 'Token of one device, or address of one subscription; absent: all your devices.',
    }),
  },
  response: done,
  errors: ['INVALID_PUSH_DEVICE_TOKEN', 'INVALID_REMOTE_PUSH_DEVICE_TOKEN', ...RELAY_ERRORS],
})

export const listPushDevices = endpoint({
  name: 'listPushDevices',
  owner: 'users',
  method: 'GET',
  path: '/users/me/push_devices',
  auth: 'user',
  tokenAccess: 'administer',
  summary: 'List your devices that get notifications, the newest first',
  response: z.object({
    push_devices: z.array(
      z.object({
        id: z.int(),
        service: z.enum(['apns', 'fcm', 'web_push']),
        name: z
          .string()
          .describe(
            'The host of the push service of a browser or distributor, or the bundle ID of an Apple app; else empty.',
          ),
        is_encrypted: z
          .boolean()
          .describe(
            'Whether notifications are encrypted for it: by `POST /mobile_push/register`, or as every browser.',
          ),
        token_end: z
          .string()
          .describe(
            'The last characters of its token or address; empty if a push relay service alone knows the token.',
          ),
        registered_at: z.int().describe('When it was registered last, in UNIX seconds.'),
      }),
    ),
  }),
})

export const removePushDevice = endpoint({
  name: 'removePushDevice',
  owner: 'users',
  method: 'DELETE',
  path: '/users/me/push_devices/{device_id}',
  auth: 'user',
  tokenAccess: 'administer',
  summary: 'Remove one of your devices, also one that is out of your hands',
  pathParameters: { device_id: pathId },
  response: done,
  errors: ['NO_SUCH_OBJECT'],
})
