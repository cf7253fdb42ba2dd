import type { Tx } from '../postgres/transaction.ts'

/** Whether a replica of the service relays its events now. */
export async function isRelaying(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query('select from outbox_relay where leased_until > clock_timestamp()')
  return rows.length > 0
}

/** Starts a new stream for the service's events: sequence numbers after the backup were already used in the old one. */
export async function beginStream(tx: Tx): Promise<void> {
  await tx.query(
    `update outbox_relay set stream = gen_random_uuid(), next_seq = 1, leased_until = '-infinity'`,
  )
}

/** Deletes changes from before the backup: the new stream makes every follower load everything. */
export async function forgetChanges(tx: Tx): Promise<void> {
  await tx.query('delete from recent_changes')
  await tx.query('update recent_changes_horizon set changed_in = 0')
}

/** Drops the events that were unpublished when the backup was made. Returns how many they were. */
export async function dropUnpublished(tx: Tx): Promise<number> {
  const { rows } = await tx.query('delete from outbox returning id')
  return rows.length
}

/**
 * Moves the unpublished events to the new stream, as if they happened now: transaction IDs of another server mean
 * nothing here. Entries of the audit log that have a number already keep it: they wait in `audit_outbox`. Returns how many events
 * they are.
 */
export async function keepUnpublished(tx: Tx): Promise<number> {
  const { rows } = await tx.query(
    `update outbox
        set seq = null, audit = case when seq is null then audit end, xid = pg_current_xact_id()
      returning id`,
  )
  return rows.length
}

/**
 * Advances all sequences, so that no ID that was assigned after the backup is assigned again. Those of jobs are among them: mails
 * have the IDs of their jobs, and programs take two with one ID for the same. Returns how many sequences there are.
 *
 * IDs continue by the clock, since nothing here knows which were assigned, not even by a database that was restored
 * earlier from the same backup. The clock gives one ID per second since 2026 for integer columns, which suffices for
 * 68 years, and a thousand per second otherwise. If more IDs than that exist, they continue at `atLeast` above the
 * backup's.
 */
export async function skipIds(tx: Tx, atLeast: number): Promise<number> {
  const { rows } = await tx.query(
    `select setval(format('%I.%I', schemaname, sequencename)::regclass,
                   least(case when clock > assigned then clock else assigned + $1 end, max_value))
       from pg_sequences,
            lateral (select coalesce(last_value, start_value) as assigned,
                            floor(extract(epoch from clock_timestamp() - timestamptz '2026-01-01 00:00Z')
                                  * case when data_type = 'bigint'::regtype then 1000 else 1 end)::bigint as clock
                    ) as positions
      where schemaname in ('public', 'graphile_worker')`,
    [atLeast],
  )
  return rows.length
}
