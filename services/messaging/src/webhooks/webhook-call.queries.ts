import type { Queryable } from '@tms/service-kit'

/** A pending call of an outgoing webhook because of a message. */
export interface WebhookCall {
  readonly id: string
  readonly realmId: number
  readonly botId: number
  readonly messageId: number
  /** Number of failed attempts. */
  readonly failures: number
}

type Version = Pick<WebhookCall, 'id' | 'failures'>

const COLUMNS = `
  id, realm_id as "realmId", bot_id as "botId", message_id as "messageId", failures`

/** Whether there are any calls, due or not; much cheaper than leasing none. */
export async function hasCalls(db: Queryable): Promise<boolean> {
  const { rows } = await db.query({
    name: 'has-webhook-calls',
    text: 'select 1 from webhook_calls order by bot_id limit 1',
  })
  return rows.length > 0
}

/**
 * Leases the earliest due call of each bot for `leaseMs`, at most `limit`; afterwards another replica may take it.
 * Times are the database's, so clocks of replicas may differ. Skips the bots of `busyBotIds` and the calls of
 * `runningIds`. Goes from bot to bot by the index, so that one bot's backlog doesn't delay the others.
 */
export async function leaseDueCalls(
  db: Queryable,
  options: {
    leaseMs: number
    busyBotIds: readonly number[]
    runningIds: readonly string[]
    limit: number
  },
): Promise<WebhookCall[]> {
  const { rows } = await db.query<WebhookCall>({
    name: 'lease-due-webhook-calls',
    text: `
      with recursive bots as (
        select min(bot_id) as bot_id
          from webhook_calls
         union all
        select (select min(bot_id) from webhook_calls where bot_id > bots.bot_id)
          from bots
         where bots.bot_id is not null
      ), due as (
        select earliest.id
          from bots
         cross join lateral (
                 select id, attempt_at
                   from webhook_calls
                  where bot_id = bots.bot_id
                    and attempt_at <= now()
                    and id <> all($3::uuid[])
                  order by attempt_at, id
                  limit 1
                    for update skip locked
               ) earliest
         where bots.bot_id <> all($2::bigint[])
         order by earliest.attempt_at
         limit $4
      )
      update webhook_calls
         set attempt_at = now() + $1 * interval '1 millisecond'
       where id in (select id from due)
      returning ${COLUMNS}`,
    values: [options.leaseMs, options.busyBotIds, options.runningIds, options.limit],
  })
  return rows
}

/** Extends the leases of calls to `leaseMs` from now, unless they have ended meanwhile. */
export async function renewLeases(db: Queryable, calls: readonly Version[], leaseMs: number): Promise<void> {
  await db.query({
    name: 'renew-webhook-call-leases',
    text: `
      update webhook_calls
         set attempt_at = now() + $3 * interval '1 millisecond'
        from unnest($1::uuid[], $2::smallint[]) as leased (id, failures)
       where webhook_calls.id = leased.id
         and webhook_calls.failures = leased.failures`,
    values: [calls.map(({ id }) => id), calls.map(({ failures }) => failures), leaseMs],
  })
}

/** Schedules the next attempt after `delayMs`, with the new number of failures. */
export async function postponeCall(db: Queryable, { id, failures }: Version, delayMs: number): Promise<void> {
  await db.query({
    name: 'postpone-webhook-call',
    text: `
      update webhook_calls
         set attempt_at = now() + $2 * interval '1 millisecond',
             failures = $3
       where id = $1`,
    values: [id, delayMs, failures],
  })
}

/** Deletes a call; false if it was deleted before. */
export async function removeCall(db: Queryable, id: string): Promise<boolean> {
  const { rows } = await db.query({
    name: 'remove-webhook-call',
    text: 'delete from webhook_calls where id = $1 returning id',
    values: [id],
  })
  return rows.length > 0
}

/** Adds a call that has ended once more; false if it hasn't ended. */
export async function repeatCall(
  db: Queryable,
  { id, realmId, botId, messageId }: Omit<WebhookCall, 'failures'>,
): Promise<boolean> {
  const { rows } = await db.query({
    name: 'repeat-webhook-call',
    text: `
      insert into webhook_calls (id, realm_id, bot_id, message_id)
      values ($1, $2, $3, $4)
          on conflict (id) do nothing
      returning id`,
    values: [id, realmId, botId, messageId],
  })
  return rows.length > 0
}

/** Number of pending and running calls of a bot; `atMost` stands for more. */
export async function countCallsOf(db: Queryable, botId: number, atMost: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-webhook-calls-of-bot',
    text: 'select count(*) as count from (select from webhook_calls where bot_id = $1 limit $2) some_of_them',
    values: [botId, atMost],
  })
  return rows[0]?.count ?? 0
}

/** Number of pending and running calls of all bots; `atMost` stands for more. */
export async function countCalls(db: Queryable, atMost: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-webhook-calls',
    text: 'select count(*) as count from (select from webhook_calls limit $1) some_of_them',
    values: [atMost],
  })
  return rows[0]?.count ?? 0
}
