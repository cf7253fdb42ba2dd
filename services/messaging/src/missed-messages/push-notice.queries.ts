import type { PushTrigger } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'

/** A message of which a user is to be notified on their devices. */
export interface PushedTo {
  readonly realmId: number
  readonly userId: number
  readonly messageId: number
  readonly trigger: PushTrigger
  /** The mentioned group, if the user is mentioned by a group alone. */
  readonly groupId: number | null
}

/** What waits to be handed over: a message that appears, or messages that disappear. */
export interface WaitingNotice {
  readonly id: string
  readonly realmId: number
  readonly userId: number
  /** Null if the messages disappear. */
  readonly trigger: PushTrigger | null
  readonly groupId: number | null
  readonly messageIds: readonly number[]
  /** This one included. */
  readonly attempts: number
  /** Seconds since it was decided. */
  readonly age: number
}

export async function addPushes(tx: Tx, pushes: readonly PushedTo[]): Promise<void> {
  if (pushes.length === 0) return
  await tx.query({
    name: 'add-push-notices',
    text: `
      insert into push_notices (realm_id, user_id, message_ids, trigger, group_id)
      select realm_id, user_id, array[message_id], trigger, group_id
        from unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[])
               as decided (realm_id, user_id, message_id, trigger, group_id)`,
    values: [
      pushes.map(({ realmId }) => realmId),
      pushes.map(({ userId }) => userId),
      pushes.map(({ messageId }) => messageId),
      pushes.map(({ trigger }) => trigger),
      pushes.map(({ groupId }) => groupId),
    ],
  })
}

/**
 * Whether notices are due that aren't held; much cheaper than leasing none. Planned each time: a plan from when nothing waited
 * would scan all that is held.
 */
export async function hasDueNotices(db: Queryable): Promise<boolean> {
  const { rows } = await db.query(
    `(select 1
        from push_notices
       where attempt_at <= now()
         and held_until is null
         and (trigger is null or trigger in ('direct_message', 'mentioned'))
       limit 1)
      union all
     (select 1
        from push_notices
       where attempt_at <= now()
         and held_until is null
         and trigger not in ('direct_message', 'mentioned')
       limit 1)
      limit 1`,
  )
  return rows.length > 0
}

/**
 * Leases due notices, at most `limit`: first direct messages, mentions by name or group, and what disappears, which leave
 * a fifth to others, so that these come too. Afterwards another replica may take them: after `leaseMs`, and later with each
 * attempt, so that a notice that ends replicas ends few.
 */
export async function leaseDueNotices(
  db: Queryable,
  { leaseMs, limit }: { readonly leaseMs: number; readonly limit: number },
): Promise<WaitingNotice[]> {
  const { rows } = await db.query<WaitingNotice>({
    name: 'lease-due-push-notices',
    text: `
      with urgent as materialized (
        select id
          from push_notices
         where attempt_at <= now()
           and held_until is null
           and (trigger is null or trigger in ('direct_message', 'mentioned'))
         order by attempt_at
         limit ceil($2 * 0.8)
           for update skip locked
      ), others as materialized (
        select id
          from push_notices
         where attempt_at <= now()
           and held_until is null
           and trigger not in ('direct_message', 'mentioned')
         order by attempt_at
         limit $2 - (select count(*) from urgent)
           for update skip locked
      )
      update push_notices
         set attempts = attempts + 1,
             attempt_at = now() + $1 * least(attempts + 1, 20) * interval '1 millisecond'
       where id in (select id from urgent union all select id from others)
      returning id, realm_id as "realmId", user_id as "userId", trigger, group_id as "groupId",
                to_json(message_ids) as "messageIds", attempts,
                extract(epoch from now() - created_at)::float8 as age`,
    values: [leaseMs, limit],
  })
  return rows
}

/** Has another attempt made after `delayMs`. */
export async function postponeNotices(db: Queryable, ids: readonly string[], delayMs: number): Promise<void> {
  await db.query({
    name: 'postpone-push-notices',
    text: `update push_notices set attempt_at = now() + $2 * interval '1 millisecond' where id = any($1::uuid[])`,
    values: [ids, delayMs],
  })
}

/** Has another attempt made at a moment. */
export async function postponeNoticesUntil(
  db: Queryable,
  ids: readonly string[],
  until: Date,
): Promise<void> {
  if (ids.length === 0) return
  await db.query({
    name: 'postpone-push-notices-until',
    text: 'update push_notices set attempt_at = $2 where id = any($1::uuid[])',
    values: [ids, until.toISOString()],
  })
}

/** Deletes notices that were handed over or have nothing to hand over; returns those that were still there. */
export async function deleteNotices(db: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id: string }>({
    name: 'delete-push-notices',
    text: 'delete from push_notices where id = any($1::uuid[]) returning id',
    values: [ids],
  })
  return new Set(rows.map(({ id }) => id))
}

/** How long the oldest notice has been waiting; one that was held, since then. */
export async function measureNoticeLag(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ lag: number }>({
    name: 'measure-push-notice-lag',
    text: `
      select coalesce(extract(epoch from now() - min(coalesce(held_until, created_at))), 0)::float8 as lag
        from push_notices
       where held_until is null
          or held_until <= now()`,
  })
  return rows[0]?.lag ?? 0
}
