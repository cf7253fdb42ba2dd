import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import { optionalText, text } from '../../declarations/parameter.ts'

const tokenSchema = z.string().min(1).max(limits.maxPushTokenLength)
const token = text(tokenSchema, { description: 'Token of the device at its push service.' })
const newToken = text(tokenSchema, {
  description: `Token of the device at its push service. Registering it again succeeds. You can have ${limits.maxPushDevices} devices: beyond that the oldest are removed, and all are removed if your API key is replaced.`,
})
const PEOPLE_ONLY = 'Tokens are stored for apps that expect that; nothing is sent to devices. Not for bots.'
const done = z.object({})

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

export const testPushNotification = endpoint({
  name: 'testPushNotification',
  owner: 'users',
  method: 'POST',
  path: '/mobile_push/test_notification',
  auth: 'user',
  summary: 'Test notifications of your devices',
  description:
    'Nothing is sent, as `push_notifications_enabled` says: this only checks that a device is registered.',
  parameters: {
    token: optionalText(tokenSchema, { description: 'Token of one device; absent: all your devices.' }),
  },
  response: done,
  errors: ['INVALID_PUSH_DEVICE_TOKEN'],
})
