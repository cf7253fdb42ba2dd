import type { WebhookDelivery } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import { KEPT_BYTES } from './delivery.rules.ts'
import { KEPT } from './webhook-delivery.queries.ts'

/** Bytes of payloads that may wait for one bot. Payloads of senders have some KB, so the number is what limits them. */
const MAX_BYTES = 64 * 1024 * 1024

/** A delivery that waits. */
export interface WaitingDelivery {
  readonly id: number
  readonly integration: string
  readonly parameters: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>
  readonly payload: Buffer
  readonly sendersId: string | null
}

/** The deliveries of a bot that wait, leased. */
export interface LeasedBacklog {
  readonly botId: number
  readonly intervalMs: number
  readonly arrived: number
  readonly waiting: number
  readonly ageMs: number
  readonly failures: number
}

/** Whether deliveries of a bot wait. */
export async function hasBacklog(db: Queryable, botId: number): Promise<boolean> {
  const { rows } = await db.query({
    name: 'has-webhook-backlog',
    text: 'select 1 from webhook_backlogs where bot_id = $1 and post_at is not null',
    values: [botId],
  })
  return rows.length > 0
}

/** How many deliveries of a bot wait. */
export async function countWaiting(db: Queryable, botId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-waiting-webhook-deliveries',
    text: 'select waiting_count as count from webhook_backlogs where bot_id = $1',
    values: [botId],
  })
  return rows[0]?.count ?? 0
}

/**
 * Adds a delivery to those that wait, as the last one; false if as many wait as may. `intervalMs` is null if the bot isn't over its
 * limit: then the interval stays. The lock on the row of the bot puts them in order.
 */
export async function addToBacklog(
  db: Queryable,
  delivery: Omit<WaitingDelivery, 'id'> & {
    readonly realmId: number
    readonly botId: number
    readonly receivedAt: Date
    readonly intervalMs: number | null
    readonly maxCount: number
  },
): Promise<boolean> {
  const { rows } = await db.query({
    name: 'add-to-webhook-backlog',
    text: `
      with backlog as (
        insert into webhook_backlogs as present
          (bot_id, realm_id, interval_ms, post_at, begun_at, arrived, waiting_count, waiting_bytes)
        values ($2::bigint, $1::bigint, coalesce($9::integer, 1000), now() + coalesce($9::integer, 1000) * interval '1 millisecond', now(), 1,
                1, octet_length($7::bytea))
            on conflict (bot_id) do update
           set interval_ms = coalesce($9::integer, present.interval_ms),
               post_at = coalesce(present.post_at, excluded.post_at),
               begun_at = case when present.post_at is null then now() else present.begun_at end,
               arrived = case when present.post_at is null then 1 else present.arrived + 1 end,
               waiting_count = present.waiting_count + 1,
               waiting_bytes = present.waiting_bytes + octet_length($7::bytea)
         where present.waiting_count < $10::integer
           and present.waiting_bytes + octet_length($7::bytea) <= ${MAX_BYTES}
        returning bot_id
      )
      insert into webhook_deliveries
        (realm_id, bot_id, integration, received_at, parameters, headers, payload, is_complete, outcome, status, error,
         message_ids, delivery_id)
      select $1::bigint, bot_id, $3::text, $4::timestamptz, $5::jsonb, $6::jsonb, $7::bytea, true, 'waiting', 200, null::text,
             '{}'::bigint[], $8::text
        from backlog
      returning id`,
    values: [
      ...[delivery.realmId, delivery.botId, delivery.integration, delivery.receivedAt],
      ...[JSON.stringify(delivery.parameters), JSON.stringify(delivery.headers), delivery.payload],
      ...[delivery.sendersId, delivery.intervalMs, delivery.maxCount],
    ],
  })
  return rows.length > 0
}

/** Leases the backlogs whose next delivery may be posted, for `leaseMs`, at most `limit`, and none of these bots. */
export async function leaseDueBacklogs(
  db: Queryable,
  options: { readonly leaseMs: number; readonly busyBotIds: readonly number[]; readonly limit: number },
): Promise<LeasedBacklog[]> {
  const { rows } = await db.query<LeasedBacklog>({
    name: 'lease-due-webhook-backlogs',
    text: `
      update webhook_backlogs
         set post_at = now() + $1 * interval '1 millisecond'
       where bot_id in (select bot_id
                          from webhook_backlogs
                         where post_at <= now()
                           and bot_id <> all($2::bigint[])
                         order by post_at
                         limit $3
                           for update skip locked)
      returning bot_id as "botId", interval_ms as "intervalMs", arrived, waiting_count as waiting, failures,
                floor(extract(epoch from now() - begun_at) * 1000)::bigint as "ageMs"`,
    values: [options.leaseMs, options.busyBotIds, options.limit],
  })
  return rows
}

/** Milliseconds until the next delivery of any bot may be posted; null while none waits. */
export async function findNextPost(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ ms: number | null }>({
    name: 'find-next-webhook-post',
    text: `
      select ceil(extract(epoch from min(post_at) - now()) * 1000)::bigint as ms
        from webhook_backlogs
       where post_at is not null`,
  })
  return rows[0]?.ms ?? null
}

/** Ends a backlog without deliveries: a replica of an older release may have deleted them. */
export async function clearBacklog(db: Queryable, botId: number): Promise<void> {
  await db.query(
    `update webhook_backlogs
        set post_at = null, waiting_count = 0, waiting_bytes = 0, failures = 0
      where bot_id = $1
        and not exists (select from webhook_deliveries where bot_id = $1 and outcome = 'waiting')`,
    [botId],
  )
}

/**
 * The delivery of a bot that has waited longest; null if none waits. The index of the bot's deliveries serves it: at most as many as
 * are kept come before.
 */
export async function findFirstWaiting(db: Queryable, botId: number): Promise<WaitingDelivery | null> {
  const { rows } = await db.query<WaitingDelivery>({
    name: 'find-first-waiting-webhook-delivery',
    text: `
      select id, integration, parameters, headers, payload, delivery_id as "sendersId"
        from webhook_deliveries
       where bot_id = $1
         and outcome = 'waiting'
       order by id
       limit 1`,
    values: [botId],
  })
  return rows[0] ?? null
}

/**
 * Stores what came of a delivery that waited, and when the next may be posted; deletes the oldest ones that are too many. Changes
 * nothing if another replica did so before.
 */
export async function endWaiting(
  db: Queryable,
  ended: Pick<WebhookDelivery, 'id' | 'outcome' | 'status' | 'error' | 'message_ids'> & {
    readonly botId: number
    readonly bytes: number
    /** How long posting took, which counts as part of the interval. */
    readonly tookMs: number
  },
): Promise<void> {
  await db.query({
    name: 'end-waiting-of-webhook-delivery',
    text: `
      with ended as (
        update webhook_deliveries
           set outcome = $3, status = $4, error = $5, message_ids = $6,
               payload = substring(payload for ${KEPT_BYTES}),
               is_complete = octet_length(payload) <= ${KEPT_BYTES}
         where id = $1
           and outcome = 'waiting'
        returning bot_id
      ), superfluous as (
        delete from webhook_deliveries
         where bot_id = (select bot_id from ended)
           and outcome <> 'waiting'
           and id <= (select id
                        from webhook_deliveries
                       where bot_id = $2
                         and id < $1
                       order by id desc
                      offset ${KEPT - 1}
                       limit 1)
      )
      update webhook_backlogs
         set waiting_count = waiting_count - 1,
             waiting_bytes = waiting_bytes - $7,
             failures = 0,
             post_at = case
                         when waiting_count > 1
                         then now() + greatest(0, interval_ms - $8::integer) * interval '1 millisecond'
                       end
       where bot_id = (select bot_id from ended)`,
    values: [
      ...[ended.id, ended.botId, ended.outcome, ended.status, ended.error, ended.message_ids],
      ...[ended.bytes, ended.tookMs],
    ],
  })
}

/** Lets the first delivery of a bot be tried again after `delayMs`; the failure `counts`, unless it is that of a server. */
export async function postponeBacklog(
  db: Queryable,
  botId: number,
  { delayMs, counts }: { readonly delayMs: number; readonly counts: boolean },
): Promise<void> {
  await db.query({
    name: 'postpone-webhook-backlog',
    text: `
      update webhook_backlogs
         set post_at = now() + $2 * interval '1 millisecond',
             failures = failures + $3
       where bot_id = $1
         and post_at is not null`,
    values: [botId, delayMs, counts ? 1 : 0],
  })
}

/** Notes that the owner of a bot is notified of its backlog now; false if that happened within the last hour. */
export async function beginBacklogNotice(db: Queryable, botId: number): Promise<boolean> {
  const { rows } = await db.query({
    name: 'begin-webhook-backlog-notice',
    text: `
      update webhook_backlogs
         set notified_at = now()
       where bot_id = $1
         and (notified_at is null or notified_at < now() - interval '1 hour')
      returning bot_id`,
    values: [botId],
  })
  return rows.length > 0
}

/** Number of deliveries of all bots that wait. */
export async function countAllWaiting(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-all-waiting-webhook-deliveries',
    text: 'select coalesce(sum(waiting_count), 0)::bigint as count from webhook_backlogs where post_at is not null',
  })
  return rows[0]?.count ?? 0
}
