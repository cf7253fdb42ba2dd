import type { Tx } from '@tms/service-kit'

/** Tables whose IDs an import keeps. */
export type NumberedTable = 'accounts' | 'user_groups' | 'invitations'

/** Up to this distance every ID is taken from the sequence one by one, which is safe against concurrent use. */
const MAX_SEQUENCE_STEPS = 100_000

/** Whether the organization already has records of an import here. */
export async function hasRecords(tx: Tx, realmId: number): Promise<boolean> {
  const { rows } = await tx.query(
    `select 1 as found from accounts where realm_id = $1
      union all
     select 1 from user_groups where realm_id = $1
      union all
     select 1 from invitations where realm_id = $1
      union all
     select 1 from setting_defaults where realm_id = $1
      limit 1`,
    [realmId],
  )
  return rows.length > 0
}

/** The lowest taken IDs; at most five. */
export async function listTakenIds(tx: Tx, table: NumberedTable, ids: readonly number[]): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `select id from ${table} where id = any ($1::int[]) order by id limit 5`,
    [ids],
  )
  return rows.map(({ id }) => id)
}

/**
 * Advances the table's sequence past an ID, even if the transaction is rolled back. Sequences can't be locked: a
 * short distance is covered by taking every ID, a long one with `setval`, because nobody can take that many
 * meanwhile.
 */
export async function advanceIdSequence(tx: Tx, table: NumberedTable, highestId: number): Promise<void> {
  await tx.query(
    `with sequence as materialized (
       select name, $2::bigint - coalesce(pg_sequence_last_value(name), 0) as distance
         from pg_get_serial_sequence($1, 'id') as found (text),
              cast(text as regclass) as name
     )
     select case
              when distance > ${MAX_SEQUENCE_STEPS} then setval(name, $2)
              else (select max(value) from (select nextval(name) as value from generate_series(1, distance)) as taken)
            end as value
       from sequence`,
    [table, highestId],
  )
}
