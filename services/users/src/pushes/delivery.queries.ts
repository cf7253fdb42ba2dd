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
  /** Whether it goes to many at once. */
  readonly isBulk: boolean
  /** The language of the account's settings. */
  readonly language: string
  readonly failures: number
  /** How many of the failures left open whether the service took it. */
  readonly unclear: number
  /** When the device was registered last. */
  readonly registeredAt: string
  /** Whether nothing has reached the device in the attempts before. */
  readonly isFailing: boolean
  /** Seconds until nobody needs it any more; negative afterwards. */
  readonly secondsLeft: number
  /** Seconds since it was handed over. */
  readonly waitedSeconds: number
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

/** A notice for a device, which nobody needs after so many seconds. */
export interface NewDelivery {
  readonly realmId: number
  readonly accountId: number
  readonly deviceId: string
  readonly target: string
  readonly notice: Notice
  readonly seconds: number
  /** Whether it goes to many at once; others go before it. */
  readonly isBulk: boolean
}

/** What may wait for a device: the oldest beyond that are dropped, so that nobody's devices take the room of all. */
const MAX_WAITING = 200

/**
 * Queues notices for devices, in their order. Drops the oldest messages where too much waits, and a test where one waits.
 */
export async function addDeliveries(tx: Queryable, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  await tx.query(
    `insert into push_deliveries (realm_id, account_id, device_id, target, message_id, notice, expires_at, is_bulk)
     select queued.realm_id, queued.account_id, device_id, target, message_id, notice::jsonb,
            now() + seconds * interval '1 second', queued.is_bulk
       from push_devices d
       join unnest($1::int[], $2::int[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::int[],
                   $8::boolean[])
              with ordinality
              as queued (realm_id, account_id, device_id, target, message_id, notice, seconds, is_bulk, number)
            on d.id = queued.device_id
      where notice::jsonb ->> 'kind' <> 'test'
         or not exists (select
                          from push_deliveries waiting
                         where waiting.device_id = d.id
                           and waiting.notice ->> 'kind' = 'test')
      order by number`,
    [
      deliveries.map(({ realmId }) => realmId),
      deliveries.map(({ accountId }) => accountId),
      deliveries.map(({ deviceId }) => deviceId),
      deliveries.map(({ target }) => target),
      deliveries.map(({ notice }) => (notice.kind === 'message' ? notice.message.message_id : null)),
      deliveries.map(({ notice }) => JSON.stringify(notice)),
      deliveries.map(({ seconds }) => seconds),
      deliveries.map(({ isBulk }) => isBulk),
    ],
  )
  // A device gets one after the other: what is before something urgent is as urgent.
  await tx.query(
    `update push_deliveries
        set is_bulk = false
      where id in (select id
                     from push_deliveries
                    where device_id = any ($1::bigint[]) and is_bulk
                      for update skip locked)`,
    [deliveries.filter(({ isBulk }) => !isBulk).map(({ deviceId }) => deviceId)],
  )
  await tx.query(
    `delete from push_deliveries
      where id in (select id
                     from push_deliveries
                    where id in (select id
                                   from (select id,
                                                row_number() over (partition by device_id
                                                                       order by message_id is not null, id desc) as nth
                                           from push_deliveries
                                          where device_id = any ($1::bigint[])) waiting
                                  where nth > $2)
                      for update skip locked)`,
    [[...new Set(deliveries.map(({ deviceId }) => deviceId))], MAX_WAITING],
  )
}

/**
 * Deletes what hasn't been sent of messages that need not appear any more. What may just be sent stays until that has
 * ended, so that the removal that follows doesn't overtake it, and isn't sent again.
 */
export async function withdrawMessages(
  tx: Queryable,
  messages: readonly { readonly accountId: number; readonly messageId: number }[],
): Promise<void> {
  if (messages.length === 0) return
  await tx.query(
    `with withdrawn as materialized (
       select * from unnest($1::int[], $2::bigint[]) as message (account_id, message_id)
     ), ended as (
       update push_deliveries d
          set expires_at = now()
         from withdrawn w
        where d.account_id = w.account_id and d.message_id = w.message_id and d.attempt_at > now()
     )
     delete from push_deliveries d
      using withdrawn w
      where d.account_id = w.account_id and d.message_id = w.message_id and d.attempt_at <= now()`,
    [messages.map(({ accountId }) => accountId), messages.map(({ messageId }) => messageId)],
  )
}

/**
 * How many attempts may begin: of targets and accounts that have some under way, of others, and of Web Push in all. Of
 * these, `bulk` is how many what goes to many may begin although something urgent is due too.
 */
export interface Slots {
  readonly bulk: Pick<Slots, 'byTarget' | 'ofOtherTarget' | 'webPush'>
  readonly byTarget: Readonly<Record<string, number>>
  readonly ofOtherTarget: number
  readonly webPush: number
  readonly byAccount: Readonly<Record<string, number>>
  readonly ofOtherAccount: number
  /** Targets that no user names. */
  readonly ofOperator: readonly string[]
}

/**
 * Leases the earliest due deliveries of each target for `leaseMs`, as far as there are slots; afterwards another replica
 * may take them. Goes from target to target by the index, and for each kind from what is due first to what isn't due yet,
 * so that the backlog of a service that doesn't answer isn't read through for others. What is urgent goes before what
 * goes to many, but for a share of theirs. A device gets one after the other, so that counts and removals come in order.
 */
export async function leaseDueDeliveries(
  db: Queryable,
  {
    leaseMs,
    slots,
  }: {
    readonly leaseMs: number
    readonly slots: Slots
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
       select targets.target, earliest.*,
              row_number() over (partition by earliest.account_id
                                     order by earliest.is_bulk, earliest.attempt_at, earliest.id) as of_account
         from targets
        cross join (values (false), (true)) kinds (is_bulk)
        cross join lateral (
                select id, account_id, attempt_at, is_bulk
                  from push_deliveries candidate
                 where target = targets.target
                   and is_bulk = kinds.is_bulk
                   and attempt_at <= now()
                   and coalesce(($5::jsonb ->> account_id::text)::int, $6) > 0
                   and not exists (select
                                     from push_deliveries earlier
                                    where earlier.device_id = candidate.device_id
                                      and earlier.id < candidate.id)
                 order by attempt_at
                 limit coalesce(($2::jsonb ->> targets.target)::int, $3)
                   for update skip locked
              ) earliest
     ), of_kind as (
       select id, target, target = any ($7::text[]) as is_of_operator, is_bulk, attempt_at,
              row_number() over (partition by target, is_bulk order by attempt_at, id) as nth_of_target,
              row_number() over (partition by target = any ($7::text[]), is_bulk order by attempt_at, id) as nth
         from due
        where of_account <= coalesce(($5::jsonb ->> account_id::text)::int, $6)
     ), ranked as (
       select id, target, is_of_operator, attempt_at,
              case
                when not is_bulk then 1
                when nth_of_target <= coalesce(($8::jsonb ->> target)::int, $9)
                     and (is_of_operator or nth <= $10) then 0
                else 2
              end as rank
         from of_kind
     ), chosen as (
       select id, target, is_of_operator,
              row_number() over (partition by target order by rank, attempt_at, id) as nth_of_target,
              row_number() over (partition by is_of_operator order by rank, attempt_at, id) as nth
         from ranked
     ), leased as (
       update push_deliveries
          set attempt_at = now() + $1 * interval '1 millisecond'
        where id in (select id
                       from chosen
                      where nth_of_target <= coalesce(($2::jsonb ->> target)::int, $3)
                        and (is_of_operator or nth <= $4))
       returning *
     )
     select l.id::text, l.device_id::text as "deviceId", l.realm_id as "realmId", l.account_id as "accountId",
            l.target, l.notice, l.is_bulk as "isBulk", l.failures, l.unclear_failures as unclear,
            d.failing_since is not null as "isFailing", d.registered_at::text as "registeredAt",
            extract(epoch from l.expires_at - now())::float8 as "secondsLeft",
            extract(epoch from now() - l.created_at)::float8 as "waitedSeconds",
            d.service, d.token, d.app_id as "appId", d.p256dh, d.auth_secret as "authSecret",
            d.push_key as "pushKey", d.push_key_id::float8 as "pushKeyId",
            coalesce(a.settings ->> 'default_language', 'en') as language
       from leased l
       join push_devices d on d.id = l.device_id
       join accounts a on a.id = l.account_id
      order by l.id`,
    [
      ...[leaseMs, JSON.stringify(slots.byTarget), slots.ofOtherTarget, slots.webPush],
      ...[JSON.stringify(slots.byAccount), slots.ofOtherAccount, slots.ofOperator],
      ...[JSON.stringify(slots.bulk.byTarget), slots.bulk.ofOtherTarget, slots.bulk.webPush],
    ],
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

/**
 * Has another attempt made after `delayMs`; with `ofDevice` nothing else is sent to the device before. With `isUnclear`
 * the service may have taken it. It becomes as urgent as what waits behind it.
 */
export async function postponeDelivery(
  db: Queryable,
  { id, deviceId }: Pick<Delivery, 'id' | 'deviceId'>,
  {
    delayMs,
    ofDevice,
    isUnclear,
  }: { readonly delayMs: number; readonly ofDevice: boolean; readonly isUnclear: boolean },
): Promise<void> {
  await db.query(
    `update push_deliveries
        set attempt_at = greatest(case when id = $1 then now() else attempt_at end, now() + $3 * interval '1 millisecond'),
            failures = failures + (id = $1)::int,
            unclear_failures = unclear_failures + (id = $1 and $5)::int,
            is_bulk = is_bulk and not exists (select
                                                from push_deliveries later
                                               where later.device_id = $2 and not later.is_bulk)
      where id = $1
         or ($4 and device_id = $2)`,
    [id, deviceId, delayMs, ofDevice, isUnclear],
  )
}

/**
 * How many deliveries wait for each kind of service, and for how long the oldest. An address that hasn't answered for an
 * hour says nothing about others: users name these.
 */
export async function measureDeliveries(
  db: Queryable,
): Promise<{ service: PushService; waiting: number; lagSeconds: number }[]> {
  const { rows } = await db.query<{ service: PushService; waiting: number; lagSeconds: number }>(
    `select service, count(*)::int as waiting,
            coalesce(max(extract(epoch from now() - created_at)) filter (where not is_left_out), 0)::float8 as "lagSeconds"
       from (select d.service, waiting.created_at,
                    d.service = 'web_push'
                    and coalesce(d.failing_since < now() - interval '1 hour', false) as is_left_out
               from (select device_id, created_at from push_deliveries limit 100000) waiting
               join push_devices d on d.id = waiting.device_id) counted
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
