import type { Queryable } from '@tms/service-kit'
import { ACTIVE_USER_COLUMNS, type ActiveUser } from '../kernel/accounts/active-user.queries.ts'

/** Null if there is no such account. */
export async function findPresenceUser(
  db: Queryable,
  realmId: number,
  id: number,
): Promise<(ActiveUser & { showsPresence: boolean }) | null> {
  const { rows } = await db.query<ActiveUser & { showsPresence: boolean }>({
    name: 'presence-user',
    text: `
      select ${ACTIVE_USER_COLUMNS}, coalesce((settings ->> 'presence_enabled')::boolean, true) as "showsPresence"
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
