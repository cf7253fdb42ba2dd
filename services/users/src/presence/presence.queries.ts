import type { Queryable } from '@tms/service-kit'
import type { PresenceAccount } from '../kernel/presence/presence-accounts.queries.ts'

/** What a ping needs of the caller's own account; null if there is none. Costs less than what all need (`PresenceAccounts`). */
export async function findPresenceUser(
  db: Queryable,
  realmId: number,
  id: number,
): Promise<Pick<PresenceAccount, 'email' | 'showsPresence'> | null> {
  const { rows } = await db.query<Pick<PresenceAccount, 'email' | 'showsPresence'>>({
    name: 'presence-user',
    text: `
      select email, coalesce((settings ->> 'presence_enabled')::boolean, true) as "showsPresence"
        from accounts
       where id = $1
         and realm_id = $2`,
    values: [id, realmId],
  })
  return rows[0] ?? null
}

/** Whether the organization has at most `most` active human users. The cost doesn't grow with the organization. */
export async function hasAtMostUsers(db: Queryable, realmId: number, most: number): Promise<boolean> {
  const { rows } = await db.query<{ isFew: boolean }>({
    name: 'has-at-most-users',
    text: `
      select count(*) <= $2 as "isFew"
        from (select from accounts where realm_id = $1 and is_active and not is_bot limit $2 + 1) as few`,
    values: [realmId, most],
  })
  return rows[0]?.isFew ?? false
}
