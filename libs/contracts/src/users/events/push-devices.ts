import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'

// These are for the audit log alone.

/** A device, without what could be used to send to it. */
const device = z.object({
  service: z.enum(['apns', 'fcm', 'web_push']),
  /** The host of the push service of a browser or distributor, or the bundle ID of an Apple app; else empty. */
  name: z.string(),
  is_encrypted: z.boolean(),
})

const common = {
  producer: 'users',
  payload: z.object({ user_id: z.int(), device }),
  audience: () => [],
} as const

export const pushDeviceAdded = domainEvent({
  ...common,
  name: 'users.push_device_added.v1',
  summary: 'A user registered a device for notifications that was not registered before',
  audit: {
    actions: {
      push_device_added: 'A user registered a device that gets their notifications from then on',
    },
    entries: ({ user_id, device: details }) => [
      {
        action: 'push_device_added',
        // A push relay service may accept it long after the request.
        actorId: user_id,
        target: { type: 'user', ids: [user_id] },
        details,
      },
    ],
  },
})

export const pushDeviceRemoved = domainEvent({
  ...common,
  name: 'users.push_device_removed.v1',
  summary: 'A user removed a device for notifications',
  audit: {
    actions: {
      push_device_removed:
        'A user removed a device; one that ends with the API key or the account has no entry',
    },
    entries: ({ user_id, device: details }) => [
      { action: 'push_device_removed', target: { type: 'user', ids: [user_id] }, details },
    ],
  },
})
