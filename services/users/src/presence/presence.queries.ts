import type { Queryable } from '@tms/service-kit'
import type { PresenceUser } from './presence.rules.ts'

const PRESENCE_COLUMNS = `id, email, floor(extract(epoch from date_joined))::int as "joinedAt"`

/** Null if there is no such account. */
export async function findPresenceUser(
  db: Queryable,
  realmId: number,
  id: number,
): Promise<(PresenceUser & { showsPresence: boolean }) | null> {
  const { rows } = await db.query<PresenceUser & { showsPresence: boolean }>({
    name: 'presence-user',
    text: `
      select ${PRESENCE_COLUMNS}, coalesce((settings ->> 'presence_enabled')::boolean, true) as "showsPresence"
        from accounts
       where id = $1
         and realm_id = $2`,
    values: [id, realmId],
  })
  return rows[0] ?? null
}

/** Which of these IDs are active human users. */
export async function findActiveUsers(
  db: Queryable,
  realmId: number,
  ids: readonly number[],
): Promise<Map<number, PresenceUser>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<PresenceUser>({
    name: 'active-users',
    text: `
      select ${PRESENCE_COLUMNS}
        from accounts
       where id = any ($1::int[])
         and realm_id = $2
         and is_active
         and not is_bot`,
    values: [ids, realmId],
  })
  return new Map(rows.map((account) => [account.id, account]))
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
