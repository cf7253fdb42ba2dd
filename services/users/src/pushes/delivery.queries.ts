import { type Pool, type Queryable, type Tx, transact } from '@tms/service-kit'
import { locks } from '../kernel/locks.ts'
import type { Notice, PushService, SentTo } from '../kernel/pushes/push.ts'
import { BROWSER_TARGETS } from './browser-services.rules.ts'

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
  /** When the lease ends, by the clock of the database. */
  readonly leasedUntil: string
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

/** How long a delivery is leased, unless its attempt takes longer. A replica that dies is replaced after this time. */
export const LEASE_MS = 20_000

/**
 * Keeps devices until the transaction ends, in the order of their IDs. Before deliveries to them change: who removes a
 * device has it first, and then what waits for it. Returns those that are still there.
 */
export async function keepDevices(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  tx.lockRecord.add(locks.devices, ids)
  const { rows } = await tx.query<{ id: string }>(
    'select id::text from push_devices where id = any ($1::bigint[]) order by push_devices.id for key share',
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/**
 * Queues notices for devices that are kept, in their order; behind what is to be tried again later, so that what can't be sent yet isn't
 * read through by each lease. Drops the oldest messages where too much waits, and a test where one waits.
 *
 * A row that is due in more than `LEASE_MS` waits for another attempt. By `clock_timestamp()`: another transaction may have leased
 * a row after this one began, until later than `now() + LEASE_MS`.
 */
export async function addDeliveries(tx: Tx, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  await tx.query(
    `insert into push_deliveries
       (realm_id, account_id, device_id, target, message_id, notice, expires_at, is_bulk, attempt_at)
     select queued.realm_id, queued.account_id, device_id, target, message_id, notice::jsonb,
            now() + seconds * interval '1 second', queued.is_bulk,
            coalesce((select max(before.attempt_at)
                        from push_deliveries before
                       where before.device_id = d.id
                         and before.attempt_at > clock_timestamp() + $9 * interval '1 millisecond'), now())
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
      LEASE_MS,
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
 * ended, so that the removal that follows doesn't overtake it, and isn't sent again. Leases are recognized by the clock, as
 * `addDeliveries` does.
 */
export async function withdrawMessages(
  tx: Queryable,
  messages: readonly { readonly accountId: number; readonly messageId: number }[],
): Promise<void> {
  if (messages.length === 0) return
  await tx.query(
    `with withdrawn as materialized (
       select * from unnest($1::int[], $2::bigint[]) as message (account_id, message_id)
     ), locked as materialized (
       -- Locked before it is decided, since another replica may just be leasing some.
       select d.id,
              d.attempt_at > now() and d.attempt_at <= clock_timestamp() + $3 * interval '1 millisecond' as is_leased
         from push_deliveries d
         join withdrawn w on w.account_id = d.account_id and w.message_id = d.message_id
        order by d.id
          for update of d
     ), ended as (
       update push_deliveries set expires_at = now() where id in (select id from locked where is_leased)
     )
     delete from push_deliveries where id in (select id from locked where not is_leased)`,
    [messages.map(({ accountId }) => accountId), messages.map(({ messageId }) => messageId), LEASE_MS],
  )
}

/**
 * How many attempts may begin: of targets and accounts that have some under way, of others, and at all addresses that users
 * named. Of these, `bulk` is how many what goes to many may begin although something urgent is due too.
 */
export interface Slots {
  readonly bulk: Pick<Slots, 'byTarget' | 'ofOtherTarget' | 'named'>
  readonly byTarget: Readonly<Record<string, number>>
  readonly ofOtherTarget: number
  readonly named: number
  readonly byAccount: Readonly<Record<string, number>>
  readonly ofOtherAccount: number
  /** Targets that users didn't name: services of apps and browsers. */
  readonly ofServices: readonly string[]
}

/**
 * Leases the earliest due deliveries of each target, as far as there are slots; afterwards another replica
 * may take them. Goes from target to target by the index, and for each kind from what is due first to what isn't due yet,
 * so that the backlog of a service that doesn't answer isn't read through for others. What is urgent goes before what
 * goes to many, but for a share of theirs. A device gets one after the other, so that counts and removals come in order.
 */
export async function leaseDueDeliveries(db: Queryable, slots: Slots): Promise<Delivery[]> {
  // Planned each time: a plan from when nothing waited would read all that waits for each of them.
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
       select id, target, target = any ($7::text[]) as is_of_service, is_bulk, attempt_at,
              row_number() over (partition by target, is_bulk order by attempt_at, id) as nth_of_target,
              row_number() over (partition by target = any ($7::text[]), is_bulk order by attempt_at, id) as nth
         from due
        where of_account <= coalesce(($5::jsonb ->> account_id::text)::int, $6)
     ), ranked as (
       select id, target, is_of_service, attempt_at,
              case
                when not is_bulk then 1
                when nth_of_target <= coalesce(($8::jsonb ->> target)::int, $9)
                     and (is_of_service or nth <= $10) then 0
                else 2
              end as rank
         from of_kind
     ), chosen as (
       select id, target, is_of_service,
              row_number() over (partition by target order by rank, attempt_at, id) as nth_of_target,
              row_number() over (partition by is_of_service order by rank, attempt_at, id) as nth
         from ranked
     ), leased as (
       update push_deliveries
          set attempt_at = now() + $1 * interval '1 millisecond'
        where id in (select id
                       from chosen
                      where nth_of_target <= coalesce(($2::jsonb ->> target)::int, $3)
                        and (is_of_service or nth <= $4))
       returning *
     )
     select l.id::text, l.device_id::text as "deviceId", l.realm_id as "realmId", l.account_id as "accountId",
            l.target, l.notice, l.is_bulk as "isBulk", l.failures, l.unclear_failures as unclear,
            d.failing_since is not null as "isFailing", d.registered_at::text as "registeredAt",
            extract(epoch from l.expires_at - now())::float8 as "secondsLeft",
            extract(epoch from now() - l.created_at)::float8 as "waitedSeconds",
            l.attempt_at::text as "leasedUntil",
            d.service, d.token, d.app_id as "appId", d.p256dh, d.auth_secret as "authSecret",
            d.push_key as "pushKey", d.push_key_id::float8 as "pushKeyId",
            coalesce(a.settings ->> 'default_language', 'en') as language
       from leased l
            -- Found one by one: these tables are large, and few are leased.
      cross join lateral (select * from push_devices where id = l.device_id offset 0) d
      cross join lateral (select settings from accounts where id = l.account_id offset 0) a
      order by l.id`,
    [
      ...[LEASE_MS, JSON.stringify(slots.byTarget), slots.ofOtherTarget, slots.named],
      ...[JSON.stringify(slots.byAccount), slots.ofOtherAccount, slots.ofServices],
      ...[JSON.stringify(slots.bulk.byTarget), slots.bulk.ofOtherTarget, slots.bulk.named],
    ],
  )
  return rows
}

/**
 * Leases deliveries for longer, unless their attempts have ended, another replica has leased them, or they are locked at this
 * moment. Returns until when, by their IDs.
 */
export async function renewLeases(
  db: Queryable,
  deliveries: readonly Pick<Delivery, 'id' | 'leasedUntil'>[],
): Promise<Map<string, string>> {
  const { rows } = await db.query<Pick<Delivery, 'id' | 'leasedUntil'>>(
    `update push_deliveries d
        set attempt_at = now() + $3 * interval '1 millisecond'
      where d.id in (select own.id
                       from push_deliveries own
                       join unnest($1::bigint[], $2::timestamptz[]) as leased (id, leased_until)
                            on own.id = leased.id and own.attempt_at = leased.leased_until
                        for update of own skip locked)
     returning d.id::text, d.attempt_at::text as "leasedUntil"`,
    [deliveries.map(({ id }) => id), deliveries.map(({ leasedUntil }) => leasedUntil), LEASE_MS],
  )
  return new Map(rows.map(({ id, leasedUntil }) => [id, leasedUntil]))
}

/**
 * Whether anything is due; much cheaper than leasing nothing. With rows, `order by` has an index scanned, which skips dead entries
 * that it has met before; a scan of the table would read the dead rows each time. Planned each time: a plan from when nothing
 * waited would scan the table.
 */
export async function hasDueDeliveries(db: Queryable): Promise<boolean> {
  const { rows } = await db.query(
    'select 1 from push_deliveries where attempt_at <= now() order by attempt_at limit 1',
  )
  return rows.length > 0
}

/**
 * Deletes deliveries that have ended, but for those that are locked at this moment, and returns the IDs of the deleted ones.
 * Waits for nobody: otherwise one lock would hold up what has ended elsewhere.
 */
export async function deleteUnlockedDeliveries(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  // Planned each time, as the others.
  const { rows } = await db.query<{ id: string }>(
    `delete from push_deliveries
      where id in (select id from push_deliveries where id = any ($1::bigint[]) for update skip locked)
     returning id::text`,
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

/** Deletes one that has ended. */
export async function deleteDelivery(db: Queryable, id: string): Promise<void> {
  await db.query('delete from push_deliveries where id = $1', [id])
}

/**
 * Deletes a delivery that has ended after failures. What had to wait because it failed is due at once; by the same statement,
 * since that can be leased as soon as this is gone. What is just being queued behind it is waited for: it keeps the device.
 */
export async function deleteFailedDelivery(
  db: Pool,
  { id, deviceId }: Pick<Delivery, 'id' | 'deviceId'>,
): Promise<void> {
  await transact(db, async (tx) => {
    tx.lockRecord.add(locks.devices, [deviceId])
    await tx.query('select from push_devices where id = $1 for update', [deviceId])
    await tx.query(
      `with ended as (
         delete from push_deliveries where id = $1 returning device_id
       )
       update push_deliveries
          set attempt_at = now()
        where id in (select later.id
                       from ended
                       join push_deliveries later using (device_id)
                      where later.id > $1 and later.attempt_at > now()
                        for update of later skip locked)`,
      [id],
    )
  })
}

/**
 * Has another attempt made after `delayMs`. What waits behind it for the device is due no sooner than that has ended. With
 * `isUnclear` the service may have taken it. It becomes as urgent as what waits behind it.
 */
export async function postponeDelivery(
  db: Queryable,
  { id, deviceId }: Pick<Delivery, 'id' | 'deviceId'>,
  { delayMs, isUnclear }: { readonly delayMs: number; readonly isUnclear: boolean },
): Promise<void> {
  await db.query(
    `update push_deliveries
        set attempt_at = now() + $3 * interval '1 millisecond',
            failures = failures + 1,
            unclear_failures = unclear_failures + $4::int,
            is_bulk = is_bulk and not exists (select
                                                from push_deliveries later
                                               where later.device_id = $2 and not later.is_bulk)
      where id = $1`,
    [id, deviceId, delayMs, Number(isUnclear)],
  )
  // It can't be leased before. What is just being withdrawn stays as it is.
  await db.query(
    `update push_deliveries
        set attempt_at = now() + $3 * interval '1 millisecond'
      where id in (select id
                     from push_deliveries
                    where device_id = $2 and id > $1
                      for update skip locked)`,
    [id, deviceId, delayMs + LEASE_MS],
  )
}

/**
 * How many deliveries wait for each kind of service, and for how long the oldest. An address that doesn't answer says nothing
 * about others: users name these. At the services of all browsers that is so after an hour.
 */
export async function measureDeliveries(
  db: Queryable,
): Promise<{ service: PushService; waiting: number; lagSeconds: number }[]> {
  const { rows } = await db.query<{ service: PushService; waiting: number; lagSeconds: number }>(
    `select service, count(*)::int as waiting,
            coalesce(max(extract(epoch from now() - created_at)) filter (where not is_left_out), 0)::float8 as "lagSeconds"
       from (select d.service, waiting.created_at,
                    d.service = 'web_push'
                    and d.failing_since is not null
                    and (waiting.target <> all ($1::text[])
                         or d.failing_since < now() - interval '1 hour') as is_left_out
               from (select device_id, target, created_at from push_deliveries limit 100000) waiting
               join push_devices d on d.id = waiting.device_id) counted
      group by service`,
    [BROWSER_TARGETS],
  )
  return rows
}
