import type { Queryable, Tx } from '@tms/service-kit'

/** An outgoing webhook that is to be called because of a message. */
export interface WebhookCall {
  readonly id: string
  readonly realmId: number
  readonly botId: number
  readonly messageId: number
  /** How often it was called without an answer. */
  readonly failures: number
}

type Version = Pick<WebhookCall, 'id' | 'failures'>

const COLUMNS = `
  id, realm_id as "realmId", bot_id as "botId", message_id as "messageId", failures`

/** Has each of these bots called because of a message, in the transaction that stores it. */
export async function addWebhookCalls(
  tx: Tx,
  { realmId, messageId, botIds }: { realmId: number; messageId: number; botIds: readonly number[] },
): Promise<void> {
  await tx.query({
    name: 'add-webhook-calls',
    text: `
      insert into webhook_calls (realm_id, message_id, bot_id)
      select $1, $2, unnest($3::bigint[])`,
    values: [realmId, messageId, botIds],
  })
}

/**
 * Takes the earliest call of each bot that is due and that no other replica has, `limit` at most, for `leaseMs`: it is
 * another's after that. Times are the database's, so clocks of replicas may differ. Passes over the bots of `busyBotIds` and the calls of `runningIds`. Goes from bot to bot by the
 * index, so that however many calls one of them has waiting, they aren't in the way of the others'.
 */
export async function takeDueCalls(
  db: Queryable,
  asked: {
    leaseMs: number
    busyBotIds: readonly number[]
    runningIds: readonly string[]
    limit: number
  },
): Promise<WebhookCall[]> {
  const { rows } = await db.query<WebhookCall>({
    name: 'take-due-webhook-calls',
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
    values: [asked.leaseMs, asked.busyBotIds, asked.runningIds, asked.limit],
  })
  return rows
}

/** Keeps calls from other replicas for `leaseMs` from now, unless they have ended meanwhile. */
export async function keepTaken(db: Queryable, calls: readonly Version[], leaseMs: number): Promise<void> {
  await db.query({
    name: 'keep-webhook-calls-taken',
    text: `
      update webhook_calls
         set attempt_at = now() + $3 * interval '1 millisecond'
        from unnest($1::uuid[], $2::smallint[]) as taken (id, failures)
       where webhook_calls.id = taken.id
         and webhook_calls.failures = taken.failures`,
    values: [calls.map(({ id }) => id), calls.map(({ failures }) => failures), leaseMs],
  })
}

/** Has it called again after `delayMs`, as what has failed so often. */
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

/** Ends a call; whether it still was there, and nobody else has ended it. */
export async function removeCall(db: Queryable, id: string): Promise<boolean> {
  const { rows } = await db.query({
    name: 'remove-webhook-call',
    text: 'delete from webhook_calls where id = $1 returning id',
    values: [id],
  })
  return rows.length > 0
}

/** How many calls wait or are being made; `atMost` stands for more. */
export async function countCalls(db: Queryable, atMost: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-webhook-calls',
    text: 'select count(*) as count from (select from webhook_calls limit $1) some_of_them',
    values: [atMost],
  })
  return rows[0]?.count ?? 0
}
