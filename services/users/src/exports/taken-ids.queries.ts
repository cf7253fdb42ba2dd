import type { Tx } from '@tms/service-kit'

/** Tables whose IDs an import brings along. */
export type NumberedTable = 'accounts' | 'user_groups' | 'invitations'

/** Up to here IDs are skipped by taking them, which no other taking of them can come between. */
const MAX_TAKEN = 100_000

/** Whether an organization has anything here that an import would bring. */
export async function hasAnything(tx: Tx, realmId: number): Promise<boolean> {
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

/** The lowest of these IDs that are taken; a few at most. */
export async function listTaken(tx: Tx, table: NumberedTable, ids: readonly number[]): Promise<number[]> {
  const { rows } = await tx.query<{ id: number }>(
    `select id from ${table} where id = any ($1::int[]) order by id limit 5`,
    [ids],
  )
  return rows.map(({ id }) => id)
}

/**
 * Has later IDs of a table be higher than this one, whatever becomes of the transaction. Sequences know no locks: a short
 * way is gone by taking every ID, a long one at once, on which nobody can take that many meanwhile.
 */
export async function skipIds(tx: Tx, table: NumberedTable, highestId: number): Promise<void> {
  await tx.query(
    `with sequence as materialized (
       select name, $2::bigint - coalesce(pg_sequence_last_value(name), 0) as distance
         from pg_get_serial_sequence($1, 'id') as found (text),
              cast(text as regclass) as name
     )
     select case
              when distance > ${MAX_TAKEN} then setval(name, $2)
              else (select max(reached) from (select nextval(name) as reached from generate_series(1, distance)) as taken)
            end as reached
       from sequence`,
    [table, highestId],
  )
}
