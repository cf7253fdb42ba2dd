import { limits } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** Whose service reaches a device: Apple's or Google's. */
export type PushService = 'apns' | 'fcm'

export interface PushDevice {
  readonly service: PushService
  readonly token: string
}

/**
 * Keeps a device of an account, whose row is locked. What is kept of one that was there is replaced; the oldest go when they
 * become too many.
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

/** Whether it was there. */
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

/** Forgets all devices of an account. */
export async function deletePushDevices(tx: Queryable, accountId: number): Promise<void> {
  await tx.query('delete from push_devices where account_id = $1', [accountId])
}

/** Whether an account has a device of this token, whoever's service reaches it. */
export async function isRegistered(db: Queryable, accountId: number, token: string): Promise<boolean> {
  const { rows } = await db.query(
    'select true from push_devices where account_id = $1 and token = $2 limit 1',
    [accountId, token],
  )
  return rows.length > 0
}
