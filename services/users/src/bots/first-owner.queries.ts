import { Role } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/** The active owner of an organization who has been there longest; null if there is none. */
export async function findFirstOwner(
  db: Queryable,
  realmId: number,
): Promise<{ user_id: number; role: number; full_name: string } | null> {
  const { rows } = await db.query<{ user_id: number; role: number; full_name: string }>({
    name: 'find-first-owner',
    text: `
      select id as user_id, role, full_name
        from accounts
       where realm_id = $1
         and role = ${Role.owner}
         and is_active
         and not is_bot
       order by id
       limit 1`,
    values: [realmId],
  })
  return rows[0] ?? null
}
