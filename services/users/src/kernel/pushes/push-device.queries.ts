import { limits } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { PushService } from './push.ts'

export interface PushDevice {
  readonly service: PushService
  readonly token: string
}

export interface NewPushDevice extends PushDevice {
  /** The app on an Apple device. */
  readonly appId?: string | null
  /** Keys of Web Push, in base64url. */
  readonly keys?: { readonly p256dh: string; readonly auth: string }
  /** Whether it gets what makes notifications disappear; yes if absent. */
  readonly getsRemovals?: boolean
}

/**
 * Saves a device of a locked account, replacing an earlier registration. Deletes the oldest devices beyond the limit.
 */
export async function savePushDevice(tx: Queryable, accountId: number, device: NewPushDevice): Promise<void> {
  const { service, token, appId = null, keys, getsRemovals = true } = device
  await deletePushDevice(tx, accountId, device)
  await tx.query(
    `insert into push_devices (account_id, service, token, app_id, p256dh, auth_secret, gets_removals)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [accountId, service, token, appId, keys?.p256dh ?? null, keys?.auth ?? null, getsRemovals],
  )
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

/** Deletes a device that no longer exists. */
export async function deleteGoneDevice(tx: Queryable, id: string): Promise<void> {
  await tx.query('delete from push_devices where id = $1', [id])
}

/** Whether the account has a device with this token, of any service. */
export async function isRegistered(db: Queryable, accountId: number, token: string): Promise<boolean> {
  const { rows } = await db.query(
    'select true from push_devices where account_id = $1 and token = $2 limit 1',
    [accountId, token],
  )
  return rows.length > 0
}

/** Whether the account has a device of one of these services. */
export async function hasDeviceOf(
  db: Queryable,
  accountId: number,
  services: readonly PushService[],
): Promise<boolean> {
  const { rows } = await db.query(
    'select true from push_devices where account_id = $1 and service = any ($2::text[]) limit 1',
    [accountId, services],
  )
  return rows.length > 0
}
