import type { Queryable, Tx } from '@tms/service-kit'
import { SCHEDULED_COLUMNS, type ScheduledMessage } from './scheduled-message.queries.ts'

type Version = Pick<ScheduledMessage, 'id' | 'revision'>

/** SQL: where a message goes: a topic of a channel, or a conversation, whoever of it has scheduled the message. */
const TARGET = `
  case
    when channel_id is not null then channel_id || '/' || coalesce(topic_key, topic)
    else array_to_string(array(select distinct unnest(user_ids || sender_id) as id order by id), ',')
  end`

/**
 * Of what is due, only so many of the earliest are considered, among which the first of each topic is the first of all of that
 * topic. Too many costs a sort of the whole backlog for each message after an outage; too few lets topics wait for one that
 * has as many.
 */
const MAX_LOOKED_AT = 500

/**
 * Takes a message that is the first of its topic or conversation, by time and then by ID, until `until`: another replica may
 * take it after that. A message is in the way of later ones as long as it is there, and it goes in the transaction that sends
 * it, so however many replicas deliver, messages come in their order. Passes over those of `busyIds`. Null if there is
 * none.
 */
export async function takeDue(
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
         limit ${MAX_LOOKED_AT}
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

/** The earliest of what is to come, or is late; null if nothing is. */
export interface Backlog {
  /** UNIX milliseconds. */
  readonly nextAttemptMs: number | null
  /** UNIX seconds. */
  readonly oldestDeliverAt: number | null
}

/** When the next is to be tried, and to be delivered; what waits for its organization to be opened is neither. */
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
 * Has it tried again at `attemptAt`, unless it was changed meanwhile. With `mayBePassed`, later messages of its topic or
 * conversation no longer wait for it.
 */
export async function postpone(
  db: Queryable,
  { id, revision }: Version,
  { attemptAt, mayBePassed }: { attemptAt: Date; mayBePassed: boolean },
): Promise<void> {
  await db.query({
    name: 'postpone-scheduled-message',
    text: `
      update scheduled_messages
         set attempt_at = $3,
             may_be_passed = may_be_passed or $4
       where id = $1
         and revision = $2`,
    values: [id, revision, attemptAt, mayBePassed],
  })
}

/** Removes it because it is being sent; whether it still stood so, and nobody else has sent it. */
export async function removeDelivered(tx: Tx, { id, revision }: Version): Promise<boolean> {
  const { rows } = await tx.query({
    name: 'remove-delivered-message',
    text: `
      delete from scheduled_messages
       where id = $1
         and revision = $2
         and not failed
      returning id`,
    values: [id, revision],
  })
  return rows.length > 0
}

/** Says that it could not be delivered; null if it was changed or sent meanwhile, or somebody said so already. */
export async function markFailed(tx: Tx, { id, revision }: Version): Promise<ScheduledMessage | null> {
  const { rows } = await tx.query<ScheduledMessage>(
    `update scheduled_messages
        set failed = true,
            revision = revision + 1
      where id = $1
        and revision = $2
        and not failed
     returning ${SCHEDULED_COLUMNS}`,
    [id, revision],
  )
  return rows[0] ?? null
}
