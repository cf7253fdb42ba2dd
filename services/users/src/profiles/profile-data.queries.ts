import type { Queryable } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
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
