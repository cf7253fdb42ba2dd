import type { Queryable } from '@tms/service-kit'
import type { Notice, PushService, SentTo } from '../kernel/pushes/push.ts'

/** A notice that waits to be sent to a device. */
export interface Delivery extends SentTo {
  readonly id: string
  readonly deviceId: string
  readonly realmId: number
  readonly accountId: number
  readonly service: PushService
  readonly target: string
  readonly notice: Notice
  readonly failures: number
  /** Seconds until nobody needs it any more; negative afterwards. */
  readonly secondsLeft: number
}

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

/** A notice for a device, which nobody needs after so many seconds. */
export interface NewDelivery {
  readonly realmId: number
  readonly accountId: number
  readonly deviceId: string
  readonly target: string
  readonly notice: Notice
  readonly seconds: number
}

/** Queues notices for devices, in their order. */
export async function addDeliveries(tx: Queryable, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  await tx.query(
    `insert into push_deliveries (realm_id, account_id, device_id, target, message_id, notice, expires_at)
     select realm_id, account_id, device_id, target, message_id, notice::jsonb, now() + seconds * interval '1 second'
       from unnest($1::int[], $2::int[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::int[])
              with ordinality as queued (realm_id, account_id, device_id, target, message_id, notice, seconds, number)
      order by number`,
    [
      deliveries.map(({ realmId }) => realmId),
      deliveries.map(({ accountId }) => accountId),
      deliveries.map(({ deviceId }) => deviceId),
      deliveries.map(({ target }) => target),
      deliveries.map(({ notice }) => (notice.kind === 'message' ? notice.message.message_id : null)),
      deliveries.map(({ notice }) => JSON.stringify(notice)),
      deliveries.map(({ seconds }) => seconds),
    ],
  )
}

/** Deletes what hasn't been sent of messages that need not appear any more. */
export async function withdrawMessages(
  tx: Queryable,
  messages: readonly { readonly accountId: number; readonly messageId: number }[],
): Promise<void> {
  if (messages.length === 0) return
  await tx.query(
    `delete from push_deliveries d
      using unnest($1::int[], $2::bigint[]) as withdrawn (account_id, message_id)
      where d.account_id = withdrawn.account_id
        and d.message_id = withdrawn.message_id`,
    [messages.map(({ accountId }) => accountId), messages.map(({ messageId }) => messageId)],
  )
}

/**
 * Leases the earliest due deliveries of each target for `leaseMs`, at most `limit`, leaving out busy targets; afterwards
 * another replica may take them. Goes from target to target by the index, so that the backlog of one that doesn't
 * answer isn't read through for the others. A device gets one after the other, so that counts and removals come in
 * order.
 */
export async function leaseDueDeliveries(
  db: Queryable,
  {
    leaseMs,
    busyTargets,
    ofEachTarget,
    limit,
  }: {
    readonly leaseMs: number
    readonly busyTargets: readonly string[]
    readonly ofEachTarget: number
    readonly limit: number
  },
): Promise<Delivery[]> {
  const { rows } = await db.query<Delivery>(
    `with recursive targets as (
       select min(target) as target from push_deliveries
        union all
       select (select min(target) from push_deliveries where target > targets.target)
         from targets
        where targets.target is not null
     ), due as (
       select earliest.id
         from targets
        cross join lateral (
                select id, attempt_at
                  from push_deliveries candidate
                 where target = targets.target
                   and attempt_at <= now()
                   and not exists (select
                                     from push_deliveries earlier
                                    where earlier.device_id = candidate.device_id
                                      and earlier.id < candidate.id)
                 order by attempt_at
                 limit $3
                   for update skip locked
              ) earliest
        where targets.target <> all ($2::text[])
        order by earliest.attempt_at
        limit $4
     ), leased as (
       update push_deliveries
          set attempt_at = now() + $1 * interval '1 millisecond'
        where id in (select id from due)
       returning *
     )
     select l.id::text, l.device_id::text as "deviceId", l.realm_id as "realmId", l.account_id as "accountId",
            l.target, l.notice, l.failures, extract(epoch from l.expires_at - now())::float8 as "secondsLeft",
            d.service, d.token, d.app_id as "appId", d.p256dh, d.auth_secret as "authSecret"
       from leased l
       join push_devices d on d.id = l.device_id
      order by l.id`,
    [leaseMs, busyTargets, ofEachTarget, limit],
  )
  return rows
}

/** Whether anything is due; much cheaper than leasing nothing. */
export async function hasDeliveries(db: Queryable): Promise<boolean> {
  const { rows } = await db.query('select 1 as found from push_deliveries limit 1')
  return rows.length > 0
}

export async function deleteDelivery(db: Queryable, id: string): Promise<void> {
  await db.query('delete from push_deliveries where id = $1', [id])
}

/** Has another attempt made after `delayMs`; with `ofDevice` nothing else is sent to the device before. */
export async function postponeDelivery(
  db: Queryable,
  { id, deviceId }: Pick<Delivery, 'id' | 'deviceId'>,
  { delayMs, ofDevice }: { readonly delayMs: number; readonly ofDevice: boolean },
): Promise<void> {
  await db.query(
    `update push_deliveries
        set attempt_at = greatest(case when id = $1 then now() else attempt_at end, now() + $3 * interval '1 millisecond'),
            failures = failures + (id = $1)::int
      where id = $1
         or ($4 and device_id = $2)`,
    [id, deviceId, delayMs, ofDevice],
  )
}

/** How many deliveries wait for each kind of service, and for how long the oldest. */
export async function measureDeliveries(
  db: Queryable,
): Promise<{ service: PushService; waiting: number; lagSeconds: number }[]> {
  const { rows } = await db.query<{ service: PushService; waiting: number; lagSeconds: number }>(
    `select service, count(*)::int as waiting, max(extract(epoch from now() - created_at))::float8 as "lagSeconds"
       from (select case when target in ('apns', 'fcm') then target else 'web_push' end as service, created_at
               from push_deliveries
              limit 100000) counted
      group by service`,
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
    `select service, token, app_id as "appId", p256dh, auth_secret as "authSecret"
       from push_devices
      where account_id = $1
        and service = any ($2::text[])
      order by id desc
      limit 20`,
    [accountId, services],
  )
  return rows
}
