import type { Queryable } from '@tms/service-kit'
import { SHOWN } from '../accounts/people.queries.ts'
import type { ShownPerson } from '../accounts/user-record.ts'

/** A person, with the transaction that changed them last. */
export type PersonRow = ShownPerson & { readonly changedIn: number }

export interface PeopleChanges {
  /** Another one than before may have gone back: a server that took over lacks what didn't reach it. */
  readonly server: string
  /** Transactions below this one are over, and visible if they were committed. */
  readonly xmin: number
  /** ID and transaction of who was changed by `since` or a later transaction. */
  readonly changed: readonly (readonly [id: number, changedIn: number])[]
}

/** Who was changed since; of null it is nobody. */
export async function readPeopleChanges(
  tx: Queryable,
  realmId: number,
  since: number | null,
): Promise<PeopleChanges> {
  const { rows } = await tx.query<PeopleChanges>({
    name: 'people-changes',
    text: `
      select pg_postmaster_start_time()::text as server,
             pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin,
             (select coalesce(json_agg(json_build_array(id, changed_in)), '[]')
                from accounts
               where realm_id = $1
                 and changed_in >= $2) as changed`,
    values: [realmId, since],
  })
  const [changes] = rows
  if (!changes) throw new Error('a select without a condition gave no row')
  return changes
}

/** The next people by ID, after `afterId` and up to `lastId`. */
export async function listPeopleBetween(
  tx: Queryable,
  realmId: number,
  { afterId, lastId, limit }: { afterId: number; lastId: number; limit: number },
): Promise<PersonRow[]> {
  const { rows } = await tx.query<PersonRow>({
    name: 'people-between',
    text: `
      select ${SHOWN}, changed_in as "changedIn"
        from accounts
       where realm_id = $1
         and id > $2
         and id <= $3
       order by id
       limit $4`,
    values: [realmId, afterId, lastId, limit],
  })
  return rows
}
