import { limits } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** Apple's or Google's service. */
export type PushService = 'apns' | 'fcm'

export interface PushDevice {
  readonly service: PushService
  readonly token: string
}

/**
 * Saves a device of a locked account, replacing an earlier registration. Deletes the oldest devices beyond the limit.
 */
export async function savePushDevice(
  tx: Queryable,
  accountId: number,
  device: PushDevice & { readonly appId: string | null },
): Promise<void> {
  await deletePushDevice(tx, accountId, device)
  await tx.query('insert into push_devices (account_id, service, token, app_id) values ($1, $2, $3, $4)', [
    accountId,
    device.service,
    device.token,
    device.appId,
  ])
  await tx.query(
    `delete from push_devices
      where account_id = $1
        and id <= (select id from push_devices where account_id = $1 order by id desc limit 1 offset $2)`,
    [accountId, limits.maxPushDevices],
  )
}

/** Returns whether the device existed. */
export async function deletePushDevice(
  tx: Queryable,
  accountId: number,
  { service, token }: PushDevice,
): Promise<boolean> {
  const { rows } = await tx.query(
    'delete from push_devices where account_id = $1 and service = $2 and token = $3 returning true',
    [accountId, service, token],
  )
  return rows.length > 0
}

/** Whether the account has a device with this token, of either service. */
export async function isRegistered(db: Queryable, accountId: number, token: string): Promise<boolean> {
  const { rows } = await db.query(
    'select true from push_devices where account_id = $1 and token = $2 limit 1',
    [accountId, token],
  )
  return rows.length > 0
}
