import type { Queryable } from '@tms/service-kit'
import { USER_RECORD_COLUMNS } from '../kernel/accounts/account-list.queries.ts'
import type { UserRecordRow } from '../kernel/accounts/user-record.ts'

/** A user record row, with the transaction that last changed it. */
export type UserListRow = UserRecordRow & { readonly changedIn: number }

export interface UserListChanges {
  /** Start time of the server: another server may lack changes, if it took over before they were replicated. */
  readonly server: string
  /** Transactions below this one have ended, and are visible if they were committed. */
  readonly xmin: number
  /** ID and last transaction of accounts changed by `since` or a later transaction. */
  readonly changed: readonly (readonly [id: number, changedIn: number])[]
}

/** Accounts changed since a transaction; none if `since` is null. */
export async function readUserListChanges(
  tx: Queryable,
  realmId: number,
  since: number | null,
): Promise<UserListChanges> {
  const { rows } = await tx.query<UserListChanges>({
    name: 'user-list-changes',
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
  if (!changes) throw new Error('the query returned no row')
  return changes
}

/** The next users by ID, after `afterId` and up to `lastId`. */
export async function listUserListRows(
  tx: Queryable,
  realmId: number,
  { afterId, lastId, limit }: { afterId: number; lastId: number; limit: number },
): Promise<UserListRow[]> {
  const { rows } = await tx.query<UserListRow>({
    name: 'user-list-rows',
    text: `
      select ${USER_RECORD_COLUMNS}, changed_in as "changedIn"
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
