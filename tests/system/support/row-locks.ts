import { createLog, createPool } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'
import { until } from './until.ts'

/** A row lock, which makes other transactions wait in the order of their arrival. */
export interface HeldRowLock {
  /** Resolves when this number of transactions waits for it, each for that long. */
  waitForWaiters(count: number, waitedMs?: number): Promise<void>
  release(): Promise<void>
}

/** Locks the recipient of a channel, which serializes changes of its messages. */
export function holdChannelLock(system: TestSystem, channelId: number): Promise<HeldRowLock> {
  return holdLock(
    system,
    'select from recipients where id = (select recipient_id from channels where id = $1) for no key update',
    [channelId],
  )
}

/** Locks a message, and so changes of its reactions and flags. */
export function holdMessageLock(system: TestSystem, messageId: number): Promise<HeldRowLock> {
  return holdLock(system, 'select from messages where id = $1 for no key update', [messageId])
}

/** Inserts a user's flags of a message without committing, so that another insert waits. */
export function holdFlagsLock(system: TestSystem, userId: number, messageId: number): Promise<HeldRowLock> {
  return holdLock(system, 'insert into message_flags (user_id, message_id) values ($1, $2)', [
    userId,
    messageId,
  ])
}

/** Stores an idempotency key of a user without committing, as a send does that takes long. */
export function holdIdempotencyKey(system: TestSystem, userId: number, key: string): Promise<HeldRowLock> {
  return holdLock(
    system,
    `insert into idempotency_keys (user_id, key, request, message_id)
     values ($1, sha256(convert_to('["key","' || $2::text || '"]', 'UTF8')), '', 0)`,
    [userId, key],
  )
}

/** Locks which users see which channels, as a change of roles does. */
export function holdChannelVisibilityLock(system: TestSystem): Promise<HeldRowLock> {
  const statement = `select pg_advisory_xact_lock(hashtextextended('channel visibility of ' || $1::bigint, 0))`
  return holdLock(system, statement, [system.realmId])
}

/** Locks an account, and so changes of it and what has to know that it doesn't change. */
export function holdAccountLock(system: TestSystem, userId: number): Promise<HeldRowLock> {
  return holdLock(system, 'select from accounts where id = $1 for no key update', [userId], 'users')
}

async function holdLock(
  { system }: TestSystem,
  statement: string,
  values: (number | string)[],
  owner: 'messaging' | 'users' = 'messaging',
): Promise<HeldRowLock> {
  const db = createPool(system.databaseUrls[owner], 2, createLog('test', 'silent'))
  const client = await db.connect()
  await client.query('begin')
  await client.query(statement, values)
  return {
    waitForWaiters: (count, waitedMs = 0) =>
      until(async () => {
        const { rows } = await db.query<{ waiting: number }>(
          `select count(*)::int as waiting
             from pg_stat_activity
            where datname = current_database()
              and wait_event_type = 'Lock'
              and query ~ 'recipients|message|accounts|pg_advisory'
              and clock_timestamp() - query_start >= $1 * interval '1 ms'`,
          [waitedMs],
        )
        return rows[0]?.waiting === count
      }),
    release: async () => {
      await client.query('rollback')
      client.release()
      await db.end()
    },
  }
}
