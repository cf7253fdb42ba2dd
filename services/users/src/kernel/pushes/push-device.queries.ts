import { limits } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { PrismaTx } from '../database/prisma-tx.ts'
import { locks } from '../locks.ts'
import type { PushService, RegisteredDevice } from './push.ts'
import { tokenIdsOf } from './token-id.rules.ts'

export interface PushDevice {
  readonly service: PushService
  readonly token: string
}

export interface NewPushDevice extends PushDevice {
  /** The app on an Apple device. */
  readonly appId?: string | null
  /** Keys of Web Push, in base64url. */
  readonly keys?: { readonly p256dh: string; readonly auth: string }
  /** Whether the push relay service knows it. */
  readonly isRelayed?: boolean
  /** Whether it gets what makes notifications disappear; yes if absent. */
  readonly getsRemovals?: boolean
}

/**
 * Saves a device of a locked account, unless the same gets encrypted notifications. What waits for one that was registered
 * before still reaches it. Deletes the devices beyond the limit that were registered the longest ago. Returns whether it
 * is new, was there, or gets encrypted notifications.
 */
export async function savePushDevice(
  tx: Queryable,
  accountId: number,
  device: NewPushDevice,
): Promise<'added' | 'renewed' | 'sealed'> {
  const { service, token, appId = null, keys, getsRemovals = true, isRelayed = false } = device
  if (await isSealed(tx, accountId, device)) return 'sealed'
  const { rows } = await tx.query(
    `with updated as (
       update push_devices
          set app_id = $4, p256dh = $5, auth_secret = $6, gets_removals = $7, registered_at = clock_timestamp(),
              failing_since = null, is_relayed = $8
        where account_id = $1 and service = $2 and token = $3
       returning id
     )
     insert into push_devices (account_id, service, token, app_id, p256dh, auth_secret, gets_removals, is_relayed)
     select $1, $2, $3, $4, $5, $6, $7, $8
      where not exists (select from updated)
     returning true`,
    [accountId, service, token, appId, keys?.p256dh ?? null, keys?.auth ?? null, getsRemovals, isRelayed],
  )
  await tx.query(
    `delete from push_devices
      where account_id = $1
        and id in (select id
                     from push_devices
                    where account_id = $1 and client_device_id is null
                    order by registered_at desc, id desc
                   offset $2)`,
    [accountId, limits.maxPushDevices],
  )
  return rows.length > 0 ? 'added' : 'renewed'
}

/** Whether notifications for a device are encrypted already: of an account that is locked, for certain. */
export async function isSealed(
  db: Queryable,
  accountId: number,
  { service, token }: PushDevice,
): Promise<boolean> {
  if (service !== 'apns' && service !== 'fcm') return false
  const { rows } = await db.query(
    `select true
       from push_devices
      where account_id = $1
        and (service = 'sealed_' || $2 and token = $3
             or service = 'sealed_relay_' || $2 and token = any ($4::text[]))
      limit 1`,
    [accountId, service, token, tokenIdsOf(token, service)],
  )
  return rows.length > 0
}

/**
 * Has others who register the same browser wait for the end of the transaction; before the account is locked. Otherwise
 * two accounts could keep it, or wait for each other.
 */
export async function lockBrowser(tx: PrismaTx, { token }: PushDevice): Promise<void> {
  tx.lockRecord.add(locks.browsers, [token])
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('browser ' || $1::text, 0))::text`, [token])
}

/**
 * Deletes a browser that has been registered with another account too, with the same keys: it shows its notifications to
 * the user that it has now. The secret proves that it is the same. Returns those accounts.
 */
export async function takeOverBrowser(
  tx: Queryable,
  accountId: number,
  { token, keys }: NewPushDevice,
): Promise<{ readonly realmId: number; readonly userId: number }[]> {
  const { rows } = await tx.query<{ realmId: number; userId: number }>(
    `delete from push_devices d
      using accounts a
      where d.token = $2
        and d.service = 'web_push'
        and d.auth_secret = $3
        and d.account_id <> $1
        and a.id = d.account_id
     returning a.realm_id as "realmId", a.id as "userId"`,
    [accountId, token, keys?.auth ?? null],
  )
  return rows
}

/** A device as its owner sees it. */
export interface OwnPushDevice extends PushDevice {
  readonly id: number
  readonly appId: string | null
  readonly registeredAt: Date
}

/** The devices of an account, the newest first. */
export async function listOwnDevices(db: Queryable, accountId: number): Promise<OwnPushDevice[]> {
  const { rows } = await db.query<OwnPushDevice>(
    `select id::float8, service, token, app_id as "appId", registered_at as "registeredAt"
       from push_devices
      where account_id = $1 and service <> 'relay'
      order by registered_at desc, id desc`,
    [accountId],
  )
  return rows
}

/** Deletes a device of an account by its ID. Returns it, with the client that it belonged to, if any; null if it didn't exist. */
export async function deleteOwnDevice(
  tx: Queryable,
  accountId: number,
  id: number,
): Promise<(RegisteredDevice & { readonly clientId: number | null }) | null> {
  const { rows } = await tx.query<RegisteredDevice & { readonly clientId: number | null }>(
    `delete from push_devices
      where account_id = $1 and id = $2 and service <> 'relay'
     returning service, token, app_id as "appId", client_device_id::float8 as "clientId"`,
    [accountId, id],
  )
  return rows[0] ?? null
}

/** Returns the device; null if it didn't exist. */
export async function deletePushDevice(
  tx: Queryable,
  accountId: number,
  { service, token }: PushDevice,
): Promise<RegisteredDevice | null> {
  const { rows } = await tx.query<RegisteredDevice>(
    `delete from push_devices
      where account_id = $1 and service = $2 and token = $3
     returning service, token, app_id as "appId"`,
    [accountId, service, token],
  )
  return rows[0] ?? null
}

/** Deletes where a client of an account is reached. Returns that; null if it has registered nothing. */
export async function deleteDeviceOfClient(
  tx: Queryable,
  accountId: number,
  clientId: number,
): Promise<RegisteredDevice | null> {
  const { rows } = await tx.query<RegisteredDevice>(
    `delete from push_devices
      where account_id = $1 and client_device_id = $2::bigint
     returning service, token, app_id as "appId"`,
    [accountId, clientId],
  )
  return rows[0] ?? null
}

/**
 * Deletes a device of a locked account that no longer exists, unless it was registered again since `registeredAt`; not
 * what stands for relayed devices, if one was registered just now. Returns the client that it belonged to; null if it belonged to none.
 */
export async function deleteGoneDevice(
  tx: Queryable,
  id: string,
  registeredAt: string,
): Promise<number | null> {
  const { rows } = await tx.query<{ clientId: number | null }>(
    `delete from push_devices gone
      where id = $1
        and registered_at = $2::timestamptz
        and (service <> 'relay'
             or not exists (select
                              from push_devices other
                             where other.account_id = gone.account_id and other.is_relayed))
     returning client_device_id::float8 as "clientId"`,
    [id, registeredAt],
  )
  return rows[0]?.clientId ?? null
}

/** Records that nothing reaches a device. Returns for how many seconds that has been so. */
export async function recordFailure(db: Queryable, id: string): Promise<number> {
  const { rows } = await db.query<{ seconds: number }>(
    `update push_devices
        set failing_since = coalesce(failing_since, now())
      where id = $1
      returning extract(epoch from now() - failing_since)::float8 as seconds`,
    [id],
  )
  return rows[0]?.seconds ?? 0
}

/** Records that something has reached a device that failed before. */
export async function recordSuccess(db: Queryable, id: string): Promise<void> {
  await db.query('update push_devices set failing_since = null where id = $1', [id])
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
