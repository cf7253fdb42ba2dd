import type { MissedReference, NotificationTrigger } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'

/** A message of which a user is to be notified. */
export interface MissedMessage {
  readonly realmId: number
  readonly userId: number
  readonly messageId: number
  readonly trigger: NotificationTrigger
  /** The mentioned group, if the user is mentioned by a group alone. */
  readonly groupId: number | null
}

/** What a user missed, whose time has come. */
export interface Batch {
  readonly id: string
  /** This one included. */
  readonly attempts: number
  readonly realmId: number
  readonly userId: number
}

/** SQL: how long mails to the user `u` wait for more messages. */
const PERIOD = `
  coalesce((u.projection -> 'settings' -> 'email_notifications_batching_period_seconds')::int, 120)
    * interval '1 second'`

/**
 * Adds messages to the open batches of their users. The first message of a batch decides when it is due. Locks the
 * batches, so that none is sealed before the messages are in it.
 */
export async function addMissedMessages(tx: Tx, missed: readonly MissedMessage[]): Promise<void> {
  if (missed.length === 0) return
  const { rows } = await tx.query<{ id: string; userId: number }>({
    name: 'open-missed-message-batches',
    text: `
      insert into missed_message_batches as open (realm_id, user_id, attempt_at)
      select missed.realm_id, missed.user_id, now() + ${PERIOD}
        from (select distinct * from unnest($1::bigint[], $2::bigint[]) as each (realm_id, user_id)) missed
        join known_users u on u.user_id = missed.user_id
       order by missed.user_id
          on conflict (user_id) where not is_sealed do update set attempt_at = open.attempt_at
      returning id, user_id as "userId"`,
    values: [missed.map(({ realmId }) => realmId), missed.map(({ userId }) => userId)],
  })
  const batchOf = new Map(rows.map(({ id, userId }) => [userId, id]))
  const known = missed.filter(({ userId }) => batchOf.has(userId))
  await tx.query({
    name: 'add-missed-messages',
    text: `
      insert into missed_messages (batch_id, message_id, trigger, group_id)
      select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::bigint[])
          on conflict do nothing`,
    values: [
      known.map(({ userId }) => batchOf.get(userId)),
      known.map(({ messageId }) => messageId),
      known.map(({ trigger }) => trigger),
      known.map(({ groupId }) => groupId),
    ],
  })
}

/** Moves the open batches of users, and those that are held, to when they are due by the users' present periods. */
export async function moveOpenBatches(tx: Queryable, userIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'move-open-missed-message-batches',
    text: `
      update missed_message_batches b
         set attempt_at = b.opened_at + ${PERIOD}
        from known_users u
       where b.user_id = any($1::bigint[])
         and (not b.is_sealed or b.held_until > now())
         and u.user_id = b.user_id
         and b.attempt_at <> b.opened_at + ${PERIOD}`,
    values: [userIds],
  })
}

/** Batches of first attempts, or those to be retried. */
export type Turn = 'first' | 'again'

/** SQL: the due batches of a turn. One that failed is taken after all that wait for their first attempt. */
const DUE = {
  first: 'attempts = 0 and attempt_at <= now()',
  again: 'attempts > 0 and attempt_at <= now()',
} as const

/**
 * Whether batches are due; much cheaper than leasing none. Planned each time: a plan from when nothing waited would scan all that
 * is held.
 */
export async function hasDueBatches(db: Queryable, turn: Turn): Promise<boolean> {
  const { rows } = await db.query(
    `select 1 from missed_message_batches where ${DUE[turn]} order by attempt_at limit 1`,
  )
  return rows.length > 0
}

/**
 * Seals due batches and leases them, at most `limit`. Afterwards another replica may take them: after `leaseMs`, and
 * later with each attempt, so that a batch that ends replicas ends few.
 */
export async function leaseDueBatches(
  db: Queryable,
  { turn, leaseMs, limit }: { readonly turn: Turn; readonly leaseMs: number; readonly limit: number },
): Promise<Batch[]> {
  const { rows } = await db.query<Batch>({
    name: `lease-due-missed-message-batches-${turn}`,
    text: `
      update missed_message_batches
         set is_sealed = true,
             attempts = attempts + 1,
             attempt_at = now() + $1 * least(attempts + 1, 20) * interval '1 millisecond'
       where id in (select id
                      from missed_message_batches
                     where ${DUE[turn]}
                     order by attempt_at
                     limit $2
                       for update skip locked)
      returning id, realm_id as "realmId", user_id as "userId", attempts`,
    values: [leaseMs, limit],
  })
  return rows
}

export interface BatchedMessage {
  readonly messageId: number
  readonly trigger: NotificationTrigger
  readonly groupId: number | null
  readonly groupName: string | null
  /** Direct members of the group. */
  readonly groupSize: number
}

/** What the text of a message becomes that a moderator empties. */
export const DELETED = '(deleted)'

/** The newest messages of a batch, at most `limit`, by ID. Leaves out deleted ones. */
export async function listBatch(db: Queryable, id: string, limit: number): Promise<BatchedMessage[]> {
  const { rows } = await db.query<BatchedMessage>({
    name: 'list-missed-message-batch',
    text: `
      select newest.message_id as "messageId", newest.trigger, newest.group_id as "groupId", g.name as "groupName",
             coalesce(cardinality(g.member_ids), 0) as "groupSize"
        from (select message_id, trigger, group_id
                from missed_messages
               where batch_id = $1
               order by message_id desc
               limit $2) newest
        join messages m on m.id = newest.message_id and m.content <> $3
        left join known_groups g on g.group_id = newest.group_id
       order by newest.message_id`,
    values: [id, limit, DELETED],
  })
  return rows
}

/** Messages of a mail, by ID. Leaves out deleted ones. */
export async function listReferenced(
  db: Queryable,
  references: readonly MissedReference[],
): Promise<BatchedMessage[]> {
  const { rows } = await db.query<BatchedMessage>({
    name: 'list-referenced-missed-messages',
    text: `
      select referenced.message_id as "messageId", referenced.trigger, referenced.group_id as "groupId",
             g.name as "groupName", coalesce(cardinality(g.member_ids), 0) as "groupSize"
        from unnest($1::bigint[], $2::text[], $3::bigint[]) as referenced (message_id, trigger, group_id)
        join messages m on m.id = referenced.message_id and m.content <> $4
        left join known_groups g on g.group_id = referenced.group_id
       order by referenced.message_id`,
    values: [
      references.map(({ message_id }) => message_id),
      references.map(({ trigger }) => trigger),
      references.map(({ group_id }) => group_id),
      DELETED,
    ],
  })
  return rows
}

/** Has another attempt made after `delayMs`. */
export async function postponeBatch(db: Queryable, id: string, delayMs: number): Promise<void> {
  await db.query({
    name: 'postpone-missed-message-batch',
    text: `update missed_message_batches set attempt_at = now() + $2 * interval '1 millisecond' where id = $1`,
    values: [id, delayMs],
  })
}

/** Has a sealed batch wait until a moment, without anything that comes meanwhile. */
export async function postponeBatchUntil(db: Queryable, id: string, until: Date): Promise<void> {
  await db.query({
    name: 'postpone-missed-message-batch-until',
    text: 'update missed_message_batches set attempt_at = $2, held_until = $2 where id = $1',
    values: [id, until.toISOString()],
  })
}

/**
 * Has a leased batch wait until a moment, open for what comes meanwhile, with its newest `limit` messages. If another one is open
 * already, that takes its messages. Fails, to be tried again, while another transaction changes that one.
 */
export async function holdBatch(
  tx: Tx,
  { id, userId }: Batch,
  { until, limit }: { readonly until: Date; readonly limit: number },
): Promise<void> {
  const { rows } = await tx.query<{ id: string }>({
    name: 'lock-open-missed-message-batch',
    text: 'select id from missed_message_batches where user_id = $1 and not is_sealed for update skip locked',
    values: [userId],
  })
  const open = rows[0]?.id ?? id
  if (open !== id) {
    await tx.query({
      name: 'merge-missed-message-batches',
      text: `
        insert into missed_messages (batch_id, message_id, trigger, group_id)
        select $2, message_id, trigger, group_id from missed_messages where batch_id = $1
            on conflict do nothing`,
      values: [id, open],
    })
    await deleteMissedBatch(tx, id)
  }
  await tx.query({
    name: 'limit-held-missed-message-batch',
    text: `
      delete from missed_messages
       where batch_id = $1
         and message_id <= (select message_id
                              from missed_messages
                             where batch_id = $1
                             order by message_id desc
                            offset $2
                             limit 1)`,
    values: [open, limit],
  })
  await tx.query({
    name: 'hold-missed-message-batch',
    text: `
      update missed_message_batches
         set is_sealed = false,
             attempts = 0,
             attempt_at = greatest($2, case when is_sealed then $2 else attempt_at end),
             held_until = $2
       where id = $1`,
    values: [open, until.toISOString()],
  })
}

/** Deletes a batch that was handed over, or has nothing to hand over. */
export async function deleteMissedBatch(db: Queryable, id: string): Promise<void> {
  await db.query({
    name: 'delete-missed-message-batch',
    text: 'delete from missed_message_batches where id = $1',
    values: [id],
  })
}

/** How many batches are overdue, at most `atMost`, and for how long the oldest is. */
export async function measureOverdue(
  db: Queryable,
  atMost: number,
): Promise<{ readonly count: number; readonly lagSeconds: number }> {
  const { rows } = await db.query<{ count: number; lagSeconds: number }>({
    name: 'measure-overdue-missed-message-batches',
    text: `
      select count(*) as count,
             coalesce(max(extract(epoch from now() - due_at)), 0)::float8 as "lagSeconds"
        from (select least(b.attempt_at, greatest(b.opened_at + ${PERIOD}, b.held_until)) as due_at
                from missed_message_batches b
                join known_users u on u.user_id = b.user_id
               where (b.is_sealed and coalesce(b.held_until <= now(), true))
                  or b.attempt_at <= now()
               limit $1) overdue`,
    values: [atMost],
  })
  return rows[0] ?? { count: 0, lagSeconds: 0 }
}
