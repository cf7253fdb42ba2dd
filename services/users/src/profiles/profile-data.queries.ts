import type { Queryable, Tx } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { ACCOUNT_COLUMNS } from '../kernel/accounts/account-list.queries.ts'
import { locks } from '../kernel/locks.ts'
import type { ProfileData } from '../kernel/profiles/current-fields.ts'

/** The next users of an organization with profile values, by ID, with these values. */
export async function listProfileOwners(
  db: Queryable,
  realmId: number,
  page: { afterId: number; limit: number },
): Promise<{ id: number; data: ProfileData }[]> {
  const { rows } = await db.query<{ id: number; data: ProfileData }>(
    `select id, profile_data as data
       from accounts
      where realm_id = $1
        and id > $2
        and profile_data <> '{}'
      order by id
      limit $3`,
    [realmId, page.afterId, page.limit],
  )
  return rows
}

/** Locks accounts as `lockAccount` does, in the order of their IDs. */
export async function lockAccountsById(tx: Tx, realmId: number, ids: readonly number[]): Promise<Account[]> {
  tx.lockRecord.add(locks.accounts)
  const { rows } = await tx.query<Account>(
    `select ${ACCOUNT_COLUMNS}
       from accounts
      where realm_id = $1
        and id = any ($2::int[])
      order by id
        for no key update`,
    [realmId, ids],
  )
  return rows
}

/** Writes the profile values and versions of locked accounts. */
export async function saveProfileData(tx: Queryable, accounts: readonly Account[]): Promise<void> {
  await tx.query(
    `update accounts
        set (profile_data, version) = (changed.profile_data, changed.version)
       from unnest($1::int[], $2::jsonb[], $3::int[]) as changed (id, profile_data, version)
      where accounts.id = changed.id`,
    [
      accounts.map(({ id }) => id),
      accounts.map(({ profileData }) => JSON.stringify(profileData)),
      accounts.map(({ version }) => version),
    ],
  )
}
