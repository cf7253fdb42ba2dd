import type { Queryable } from '@tms/service-kit'
import type { Sent } from './outgoing.ts'

/** What a client calls one send, so that a second attempt is known for what it is. */
export interface SendKey {
  /** SHA-256 of the name, and of what it is a name for. */
  readonly key: Buffer
  readonly request: Buffer
}

/** The unique index that a second attempt runs into. */
export const SENT_KEYS = 'sent_keys_pkey'

/** What became of the first attempt. */
interface FirstAttempt extends Sent {
  readonly request: Buffer
}

/** What became of the first attempt; null if there was none. */
export async function findSent(
  db: Queryable,
  userId: number,
  { key }: SendKey,
): Promise<FirstAttempt | null> {
  const { rows } = await db.query<FirstAttempt>({
    name: 'find-sent',
    text: `
      select message_id as id, automatic_visibility as "automaticVisibility", request
        from idempotency_keys
       where user_id = $1
         and key = $2`,
    values: [userId, key],
  })
  return rows[0] ?? null
}

/** Forgets at most `limit` attempts from before `before`, oldest first; how many there were. */
export async function forgetSent(db: Queryable, before: Date, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'forget-sent',
    text: `
      with old as (
        select user_id, key
          from idempotency_keys
         where sent_at < $1
         order by sent_at
         limit $2
           for update skip locked
      ), gone as (
        delete from idempotency_keys
         using old
         where idempotency_keys.user_id = old.user_id
           and idempotency_keys.key = old.key
        returning 1
      )
      select count(*) as count from gone`,
    values: [before, limit],
  })
  return rows[0]?.count ?? 0
}
