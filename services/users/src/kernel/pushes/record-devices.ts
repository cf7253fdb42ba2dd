import { domainEvents } from '@tms/contracts'
import { type Account, lockAccount, updateAccount } from '../accounts/account.queries.ts'
import { toUserProjection } from '../accounts/user-projection.ts'
import type { Context } from '../context.ts'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { publish } from '../publish.ts'
import { publishUnreachable } from './publish-client-devices.ts'
import type { PushService } from './push.ts'
import { deleteGoneDevice, hasDeviceOf } from './push-device.queries.ts'

/**
 * Publishes whether a locked account has devices that can be reached, if that has changed: messaging decides about
 * notifications for no one else.
 */
export async function recordDevices(
  tx: PrismaTx,
  { pushes }: Pick<Context, 'pushes'>,
  account: Account,
  requestId: string | null,
): Promise<void> {
  const hasPushDevices = await hasDeviceOf(tx, account.id, Object.keys(pushes.senders) as PushService[])
  if (hasPushDevices === account.hasPushDevices) return
  const after = await updateAccount(tx, account.id, { hasPushDevices })
  await publish(
    tx,
    domainEvents.users.pushDevicesChanged,
    { user_id: after.id, projection: toUserProjection(after) },
    { realmId: after.realmId, requestId },
  )
}

interface GoneDevice {
  readonly realmId: number
  readonly accountId: number
  readonly deviceId: string
  /** When it was registered last before it was found to be gone. */
  readonly registeredAt: string
}

/** Deletes a device that no longer exists, unless it was registered again, and publishes that. */
export async function forgetGoneDevice(
  context: Pick<Context, 'pushes' | 'transact'>,
  { realmId, accountId, deviceId, registeredAt }: GoneDevice,
): Promise<void> {
  await context.transact(async (tx) => {
    const account = await lockAccount(tx, realmId, accountId)
    const clientId = await deleteGoneDevice(tx, deviceId, registeredAt)
    if (!account) return
    if (clientId !== null) await publishUnreachable(tx, account, clientId, null)
    await recordDevices(tx, context, account, null)
  })
}

/** The same after devices were deleted otherwise. */
export async function recordDevicesOf(
  context: Pick<Context, 'pushes' | 'transact'>,
  realmId: number,
  userId: number,
): Promise<void> {
  await context.transact(async (tx) => {
    const account = await lockAccount(tx, realmId, userId)
    if (account) await recordDevices(tx, context, account, null)
  })
}
