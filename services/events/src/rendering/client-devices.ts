import { domainEvents } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

const { clientDeviceAdded, clientDeviceUpdated, clientDeviceRemoved } = domainEvents.users

/** `device` `add`, to the owner. */
export const presentClientDeviceAdded = present(clientDeviceAdded, {
  list: () => [{ index: 0, type: 'device' }],
  write: ({ device_id }) => fieldsOf({ type: 'device', op: 'add', device_id }),
})

export const presentClientDeviceUpdated = present(clientDeviceUpdated, {
  list: () => [{ index: 0, type: 'device' }],
  write: ({ device_id, changes }) => fieldsOf({ type: 'device', op: 'update', device_id, ...changes }),
})

export const presentClientDeviceRemoved = present(clientDeviceRemoved, {
  list: () => [{ index: 0, type: 'device' }],
  write: ({ device_id }) => fieldsOf({ type: 'device', op: 'remove', device_id }),
})
