import type { Queryable } from '@tms/service-kit'
import type { PushService, SentTo } from '../kernel/pushes/push.ts'

/** A device that something can be sent to. */
export interface ReachableDevice {
  readonly id: string
  readonly service: PushService
  readonly token: string
  readonly getsRemovals: boolean
}

/** The devices of an account of these services; only those with the token, if there is one. */
export async function listDevices(
  db: Queryable,
  accountId: number,
  services: readonly string[],
  token: string | null = null,
): Promise<ReachableDevice[]> {
  const { rows } = await db.query<ReachableDevice>(
    `select id::text, service, token, gets_removals as "getsRemovals"
       from push_devices
      where account_id = $1
        and service = any ($2::text[])
        and ($3::text is null or token = $3)
      order by id`,
    [accountId, services, token],
  )
  return rows
}

/** The same for several accounts, by account. */
export async function listDevicesOf(
  db: Queryable,
  accountIds: readonly number[],
  services: readonly string[],
): Promise<Map<number, ReachableDevice[]>> {
  const { rows } = await db.query<ReachableDevice & { readonly accountId: number }>(
    `select account_id as "accountId", id::text, service, token, gets_removals as "getsRemovals"
       from push_devices
      where account_id = any ($1::int[])
        and service = any ($2::text[])
      order by id`,
    [accountIds, services],
  )
  return Map.groupBy(rows, ({ accountId }) => accountId)
}

/** The clients of an account that get encrypted notifications by these services; only one of them, if it has this ID. */
export async function listSealedDevices(
  db: Queryable,
  accountId: number,
  services: readonly string[],
  clientId: number | null,
): Promise<ReachableDevice[]> {
  const { rows } = await db.query<ReachableDevice>(
    `select id::text, service, token, gets_removals as "getsRemovals"
       from push_devices
      where account_id = $1
        and service = any ($2::text[])
        and client_device_id is not null
        and ($3::bigint is null or client_device_id = $3)
      order by id`,
    [accountId, services, clientId],
  )
  return rows
}

/** The newest devices of an account of these services, with all that is needed to send to them. */
export async function listDevicesToTry(
  db: Queryable,
  accountId: number,
  services: readonly string[],
): Promise<(SentTo & { readonly service: PushService })[]> {
  const { rows } = await db.query<SentTo & { readonly service: PushService }>(
    `select service, token, app_id as "appId", p256dh, auth_secret as "authSecret", push_key as "pushKey",
            push_key_id::float8 as "pushKeyId"
       from push_devices
      where account_id = $1
        and service = any ($2::text[])
      order by registered_at desc
      limit 20`,
    [accountId, services],
  )
  return rows
}

/** The services by which devices of an account are reached besides these, with how many. */
export async function listUnreachableServices(
  db: Queryable,
  accountId: number,
  services: readonly string[],
): Promise<{ readonly service: string; readonly count: number }[]> {
  const { rows } = await db.query<{ service: string; count: number }>(
    `select service, count(*)::int as count
       from push_devices
      where account_id = $1
        and service <> all ($2::text[])
      group by service
      order by service`,
    [accountId, services],
  )
  return rows
}
