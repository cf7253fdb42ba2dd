import type { Queryable } from '@tms/service-kit'

/** A person whose account is active. `joinedAt` is in UNIX seconds. */
export interface ActiveUser {
  readonly id: number
  readonly email: string
  readonly joinedAt: number
}

export const ACTIVE_USER_COLUMNS = `id, email, floor(extract(epoch from date_joined))::int as "joinedAt"`

/** Which of these IDs are active human users. */
export async function findActiveUsers(
  db: Queryable,
  realmId: number,
  ids: readonly number[],
): Promise<Map<number, ActiveUser>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<ActiveUser>({
    name: 'active-users',
    text: `
      select ${ACTIVE_USER_COLUMNS}
        from accounts
       where id = any ($1::int[])
         and realm_id = $2
         and is_active
         and not is_bot`,
    values: [ids, realmId],
  })
  return new Map(rows.map((account) => [account.id, account]))
}
