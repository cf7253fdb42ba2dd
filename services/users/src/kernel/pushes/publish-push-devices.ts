import { domainEvents } from '@tms/contracts'
import type { Account } from '../accounts/account.queries.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publish } from '../publish.ts'
import type { RegisteredDevice } from './push.ts'

/** A device as it may be shown: without what could be used to send to it. */
export function describeDevice({ service, token, appId }: RegisteredDevice): {
  readonly service: 'apns' | 'fcm' | 'web_push'
  readonly name: string
  readonly is_encrypted: boolean
} {
  return {
    service: service.replace(/^sealed_(?:relay_)?/, '') as 'apns' | 'fcm' | 'web_push',
    name: service === 'web_push' ? new URL(token).host : (appId ?? ''),
    is_encrypted: service === 'web_push' || service.startsWith('sealed_'),
  }
}

/** Publishes for the audit log that a user has registered a device, or removed one. */
export async function publishPushDevice(
  tx: PrismaTx,
  change: 'added' | 'removed',
  { id, realmId }: Pick<Account, 'id' | 'realmId'>,
  device: RegisteredDevice,
  requestId: string | null,
): Promise<void> {
  const { pushDeviceAdded, pushDeviceRemoved } = domainEvents.users
  const payload = { user_id: id, device: describeDevice(device) }
  if (change === 'added') await publish(tx, pushDeviceAdded, payload, { realmId, requestId })
  else await publish(tx, pushDeviceRemoved, payload, { realmId, requestId })
}
