import type { Queryable, Tx } from '@tms/service-kit'
import { SCHEDULED_COLUMNS, type ScheduledMessage } from './scheduled-message.queries.ts'

type Version = Pick<ScheduledMessage, 'id' | 'version'>

/**
 * SQL: the target of a message: a topic of a channel, or a conversation, whichever of its users scheduled the
 * message.
 */
const TARGET = `
  case
    when channel_id is not null then channel_id || '/' || coalesce(topic_key, topic)
    else array_to_string(array(select distinct unnest(user_ids || sender_id) as id order by id), ',')
  end`

/**
 * Number of due messages that are considered, earliest first. Among these the first of each topic is the first of
 * all. Too many costs a sort of the whole backlog for each message after an outage; too few lets other topics wait
 * for one with as many messages.
 */
const MAX_CONSIDERED = 500

/**
 * Leases until `until` a message that is the first of its topic or conversation by time and then by ID; after that
 * another replica may take it. A message blocks later ones as long as its row exists, and the row is deleted in
 * the transaction that sends the message, so messages are sent in order, however many replicas do it. Skips those
 * of `busyIds`. Null if there is none.
 */
export async function claimDue(
  db: Queryable,
  { now, until, busyIds }: { now: Date; until: Date; busyIds: readonly number[] },
): Promise<ScheduledMessage | null> {
  const { rows } = await db.query<ScheduledMessage>({
    name: 'take-due-message',
    text: `
      with due as (
        select id, deliver_at, case when may_be_passed then id end as passed_id, ${TARGET} as target
          from scheduled_messages
         where not failed
           and deliver_at <= $4
           and attempt_at < 'infinity'
         order by deliver_at, id
         limit ${MAX_CONSIDERED}
      ), firsts as materialized (
        select distinct on (target, passed_id) id
          from due
         order by target, passed_id, deliver_at, id
      )
      update scheduled_messages
         set attempt_at = $2
       where id = (select scheduled_messages.id
                     from firsts
                     join scheduled_messages using (id)
                    where not failed
                      and attempt_at <= $1
                      and id <> all($3::bigint[])
                    order by attempt_at, id
                    limit 1
                      for update of scheduled_messages skip locked)
      returning ${SCHEDULED_COLUMNS}`,
    values: [now, until, busyIds, Math.floor(now.getTime() / 1000)],
  })
  return rows[0] ?? null
}

/** The earliest times of scheduled messages; null if there are none. */
export interface Backlog {
  /** UNIX milliseconds. */
  readonly nextAttemptMs: number | null
  /** UNIX seconds. */
  readonly oldestDeliverAt: number | null
}

/**
 * Finds when the next message is to be tried, and the oldest delivery time. Messages of an organization whose
 * import isn't activated count for neither.
 */
export async function findBacklog(db: Queryable): Promise<Backlog> {
  const { rows } = await db.query<Backlog>({
    name: 'find-scheduled-backlog',
    text: `
      select (select extract(epoch from min(attempt_at))::float8 * 1000
                from scheduled_messages
               where not failed) as "nextAttemptMs",
             (select min(deliver_at)
                from scheduled_messages
               where not failed
                 and attempt_at < 'infinity') as "oldestDeliverAt"`,
    values: [],
  })
  return rows[0] ?? { nextAttemptMs: null, oldestDeliverAt: null }
}

/**
 * Schedules another attempt at `attemptAt`, unless the message was changed meanwhile. With `mayBePassed`, later
 * messages of its topic or conversation no longer wait for it.
 */
export async function postpone(
  db: Queryable,
  { id, version }: Version,
  { attemptAt, mayBePassed }: { attemptAt: Date; mayBePassed: boolean },
): Promise<void> {
  await db.query({
    name: 'postpone-scheduled-message',
    text: `
      update scheduled_messages
         set attempt_at = $3,
             may_be_passed = may_be_passed or $4
       where id = $1
         and version = $2`,
    values: [id, version, attemptAt, mayBePassed],
  })
}

/** Deletes a message that is being sent. Returns whether it existed unchanged and nobody else has sent it. */
export async function deleteSentMessage(tx: Tx, { id, version }: Version): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'delete-sent-message',
    text: `
      delete from scheduled_messages
       where id = $1
         and version = $2
         and not failed
      returning id`,
    values: [id, version],
  })
  return rows.length > 0
}

/** Marks a message as failed; null if it was changed, sent or marked as failed meanwhile. */
export async function markFailed(tx: Tx, { id, version }: Version): Promise<ScheduledMessage | null> {
  const { rows } = await tx.query<ScheduledMessage>(
    `update scheduled_messages
        set failed = true,
            version = version + 1
      where id = $1
        and version = $2
        and not failed
     returning ${SCHEDULED_COLUMNS}`,
    [id, version],
  )
  return rows[0] ?? null
}
