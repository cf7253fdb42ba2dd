import type { Queryable } from '@tms/service-kit'

/** What presence depends on of an account. `joinedAt` is in UNIX seconds. */
export interface PresenceAccount {
  readonly id: number
  readonly email: string
  readonly joinedAt: number
  /** Active, and no bot. */
  readonly isPresent: boolean
  readonly showsPresence: boolean
}

/** More accounts aren't read as changes: while a long transaction is open, each request would read them again. */
export const MAX_CHANGED = 1_000

export interface PresenceAccountsRead {
  /** Start time of the server: another server may lack changes, if it took over before they were replicated. */
  readonly server: string
  /** Transactions below this one have ended, and are visible if they were committed. */
  readonly xmin: number
  /** Accounts changed by `since` or a later transaction; at most one more than `MAX_CHANGED`. */
  readonly changed: readonly PresenceAccount[]
  /** Those of the IDs that exist. */
  readonly found: readonly PresenceAccount[]
}

const COLUMNS = `
  id, email, floor(extract(epoch from date_joined))::int as "joinedAt", is_active and not is_bot as "isPresent",
  coalesce((settings ->> 'presence_enabled')::boolean, true) as "showsPresence"`

/** Reads accounts by ID, and those that have changed; none of the latter if `since` is null. */
export async function readPresenceAccounts(
  db: Queryable,
  realmId: number,
  { since, ids }: { readonly since: number | null; readonly ids: readonly number[] },
): Promise<PresenceAccountsRead> {
  const { rows } = await db.query<PresenceAccountsRead>({
    name: 'presence-accounts',
    text: `
      select pg_postmaster_start_time()::text as server,
             pg_snapshot_xmin(pg_current_snapshot())::text::bigint as xmin,
             (select coalesce(json_agg(one), '[]')
                from (select ${COLUMNS} from accounts where realm_id = $1 and changed_in >= $2 limit ${MAX_CHANGED + 1}) as one
             ) as changed,
             (select coalesce(json_agg(one), '[]')
                from (select ${COLUMNS} from accounts where realm_id = $1 and id = any ($3::int[])) as one
             ) as found`,
    values: [realmId, since, ids],
  })
  const [read] = rows
  if (!read) throw new Error('the query returned no row')
  return read
}
