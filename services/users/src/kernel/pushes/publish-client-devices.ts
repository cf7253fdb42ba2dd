import { type ClientDevice, domainEvents } from '@tms/contracts'
import type { Account } from '../accounts/account.queries.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publish } from '../publish.ts'
import { deleteClientDevices, findClientDevice } from './client-device.queries.ts'

type Owner = Pick<Account, 'id' | 'realmId'>

/** What a client is without a token and a key. */
const UNREACHABLE = {
  push_key_id: null,
  push_token_id: null,
  push_token_last_updated_timestamp: null,
} as const satisfies Partial<ClientDevice>

/** Tells the owner what changed of a client. */
export async function publishClientDevice(
  tx: PrismaTx,
  { id, realmId }: Owner,
  deviceId: number,
  changes: Partial<ClientDevice>,
  requestId: string | null,
): Promise<void> {
  const payload = { user_id: id, device_id: deviceId, changes }
  await publish(tx, domainEvents.users.clientDeviceUpdated, payload, { realmId, requestId })
}

/** Tells the owner that a client has no token any more. */
export const publishUnreachable = (
  tx: PrismaTx,
  owner: Owner,
  deviceId: number,
  requestId: string | null,
): Promise<void> => publishClientDevice(tx, owner, deviceId, UNREACHABLE, requestId)

/** Publishes that a client has a new token, which `others` had before. */
export async function publishRegistered(
  tx: PrismaTx,
  owner: Owner,
  deviceId: number,
  others: readonly number[],
  requestId: string | null,
): Promise<void> {
  for (const other of others) await publishUnreachable(tx, owner, other, requestId)
  const client = await findClientDevice(tx, owner.id, deviceId)
  if (client === null) return
  const { push_registration_error_code: _, ...changes } = client
  await publishClientDevice(tx, owner, deviceId, changes, requestId)
}

/** Tells the owner that clients are none any more. */
export async function publishRemoved(
  tx: PrismaTx,
  { id, realmId }: Owner,
  deviceIds: readonly number[],
  requestId: string | null,
): Promise<void> {
  for (const device_id of deviceIds)
    await publish(
      tx,
      domainEvents.users.clientDeviceRemoved,
      { user_id: id, device_id },
      { realmId, requestId },
    )
}

/** Removes all clients of a locked account. */
export async function removeClientDevices(
  tx: PrismaTx,
  owner: Owner,
  requestId: string | null,
): Promise<void> {
  await publishRemoved(tx, owner, await deleteClientDevices(tx, owner.id, 0), requestId)
}
