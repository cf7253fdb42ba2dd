import type { Tx } from '../postgres/pool.ts'

/** Whether a replica of the service relays its events now. */
export async function isRelaying(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query('select from outbox_relay where leased_until > clock_timestamp()')
  return rows.length > 0
}

/** Gives the service's events a stream of its own from now on: the places after the backup have been used in the old one. */
export async function beginStream(tx: Tx): Promise<void> {
  await tx.query(
    `update outbox_relay set stream = gen_random_uuid(), next_seq = 1, leased_until = '-infinity'`,
  )
}

/** Drops the events that had not been told when the backup was made. Returns how many they were. */
export async function dropUntold(tx: Tx): Promise<number> {
  const { rows } = await tx.query('delete from outbox returning id')
  return rows.length
}

/**
 * Has the same events told in the new stream, as if they happened now: a transaction's number means nothing in another
 * server. Returns how many they are.
 */
export async function keepUntold(tx: Tx): Promise<number> {
  const { rows } = await tx.query('update outbox set seq = null, xid = pg_current_xact_id() returning id')
  return rows.length
}

/** Moves on whatever gives IDs, so that none that was given after the backup is given again. Returns how many do. */
export async function skipIds(tx: Tx, count: number): Promise<number> {
  const { rows } = await tx.query(
    `select setval(format('%I.%I', schemaname, sequencename)::regclass,
                   least(coalesce(last_value, start_value) + $1, max_value))
       from pg_sequences
      where schemaname = 'public'`,
    [count],
  )
  return rows.length
}
