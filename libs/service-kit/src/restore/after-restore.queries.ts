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

/** Forgets what changed before the backup: the new stream has everyone who follows the changes load everything. */
export async function forgetChanges(tx: Tx): Promise<void> {
  await tx.query('delete from recent_changes')
  await tx.query('update recent_changes_horizon set changed_in = 0')
}

/** Drops the events that had not been told when the backup was made. Returns how many they were. */
export async function dropUnpublished(tx: Tx): Promise<number> {
  const { rows } = await tx.query('delete from outbox returning id')
  return rows.length
}

/**
 * Has the same events told in the new stream, as if they happened now: a transaction's number means nothing in another
 * server. Returns how many they are.
 */
export async function keepUnpublished(tx: Tx): Promise<number> {
  const { rows } = await tx.query('update outbox set seq = null, xid = pg_current_xact_id() returning id')
  return rows.length
}

/**
 * Moves on whatever gives IDs, so that none that was given after the backup is given again. Returns how many do.
 *
 * IDs go on by the clock, since nothing here knows what was given: also by a database that was restored from the same backup
 * before. As many as there are for so long: one for each second since 2026 where they are integers, which suffices for 68 years,
 * else a thousand. Where more were given by then, they go on that much above what the backup has.
 */
export async function skipIds(tx: Tx, atLeast: number): Promise<number> {
  const { rows } = await tx.query(
    `select setval(format('%I.%I', schemaname, sequencename)::regclass,
                   least(case when clock > given then clock else given + $1 end, max_value))
       from pg_sequences,
            lateral (select coalesce(last_value, start_value) as given,
                            floor(extract(epoch from clock_timestamp() - timestamptz '2026-01-01 00:00Z')
                                  * case when data_type = 'bigint'::regtype then 1000 else 1 end)::bigint as clock
                    ) as places
      where schemaname = 'public'`,
    [atLeast],
  )
  return rows.length
}
