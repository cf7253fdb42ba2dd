import type { Queryable } from '@tms/service-kit'
import type { SendResult } from './send-request.ts'

/** Identifies one send, so that a second attempt is recognized. */
export interface IdempotencyKey {
  /** SHA-256 of the client's key, and of the request. */
  readonly key: Buffer
  readonly request: Buffer
}

/** The unique index that a second attempt violates. */
export const IDEMPOTENCY_KEYS_PKEY = 'idempotency_keys_pkey'

/** The first attempt of a send and its result. */
interface FirstAttempt extends SendResult {
  readonly request: Buffer
}

/** Finds the first attempt of a send; null if there was none. */
export async function findFirstAttempt(
  db: Queryable,
  userId: number,
  { key }: IdempotencyKey,
): Promise<FirstAttempt | null> {
  const { rows } = await db.query<FirstAttempt>({
    name: 'find-first-attempt',
    text: `
      select message_id as id, automatic_visibility as "automaticVisibility", request
        from idempotency_keys
       where user_id = $1
         and key = $2`,
    values: [userId, key],
  })
  return rows[0] ?? null
}

/** Deletes at most `limit` keys from before `before`, oldest first, and returns how many. */
export async function deleteIdempotencyKeys(db: Queryable, before: Date, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'delete-idempotency-keys',
    text: `
      with old as (
        select user_id, key
          from idempotency_keys
         where sent_at < $1
         order by sent_at
         limit $2
           for update skip locked
      ), deleted as (
        delete from idempotency_keys
         using old
         where idempotency_keys.user_id = old.user_id
           and idempotency_keys.key = old.key
        returning 1
      )
      select count(*) as count from deleted`,
    values: [before, limit],
  })
  return rows[0]?.count ?? 0
}
