import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { clientDevice } from '../client-devices.ts'

const common = {
  producer: 'users',
  audience: ({ user_id }: { readonly user_id: number }) => [{ kind: 'users', userIds: [user_id] }] as const,
  audit: { none: 'Devices that a user registers or removes have their entries.' },
} as const

export const clientDeviceAdded = domainEvent({
  ...common,
  name: 'users.client_device_added.v1',
  summary: 'A client announced itself as a device of a user',
  payload: z.object({ user_id: z.int(), device_id: z.int() }),
})

export const clientDeviceUpdated = domainEvent({
  ...common,
  name: 'users.client_device_updated.v1',
  summary: 'The key or the token of a client changed, or its registration failed',
  payload: z.object({ user_id: z.int(), device_id: z.int(), changes: clientDevice.partial() }),
})

export const clientDeviceRemoved = domainEvent({
  ...common,
  name: 'users.client_device_removed.v1',
  summary: 'A client is no device of a user any more',
  payload: z.object({ user_id: z.int(), device_id: z.int() }),
})
