import { createLog, createPool } from '@tms/service-kit'
import type { TestSystem } from '@tms/test-kit'
import { until } from './until.ts'

/** The place of a channel's messages, which nobody else can lock: who changes anything there waits, first come first served. */
export interface HeldOffset {
  /** Resolves when so many others wait for a lock that this one keeps from them. */
  untilAwaited(count: number): Promise<void>
  release(): Promise<void>
}

/** Holds the place of a channel's messages. */
export function holdPlace(system: TestSystem, channelId: number): Promise<HeldOffset> {
  return hold(
    system,
    'select from recipients where id = (select recipient_id from channels where id = $1) for no key update',
    [channelId],
  )
}

/** Holds a message: what hangs on it waits. */
export function holdMessage(system: TestSystem, messageId: number): Promise<HeldOffset> {
  return hold(system, 'select from messages where id = $1 for no key update', [messageId])
}

/** Holds what a user notes of a message that they noted nothing of yet; nobody else sees that. */
export function holdFlags(system: TestSystem, userId: number, messageId: number): Promise<HeldOffset> {
  return hold(system, 'insert into message_flags (user_id, message_id) values ($1, $2)', [userId, messageId])
}

async function hold({ system }: TestSystem, statement: string, values: number[]): Promise<HeldOffset> {
  const db = createPool(system.databaseUrls.messaging, 2, createLog('test', 'silent'))
  const client = await db.connect()
  await client.query('begin')
  await client.query(statement, values)
  return {
    untilAwaited: (count) =>
      until(async () => {
        const { rows } = await db.query<{ waiting: number }>(
          `select count(*)::int as waiting
             from pg_stat_activity
            where datname = current_database()
              and wait_event_type = 'Lock'
              and query ~ 'recipients|message|pg_advisory'`,
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
