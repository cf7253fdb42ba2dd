import type { Pool } from '@tms/service-kit'

/** Organizations whose permissions name users directly, by ID: the first `limit` after `afterId`, without those being imported. */
export async function listRealmsNamingUsers(
  db: Pool,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>({
    name: 'list-realms-naming-users',
    text: `
      select id
        from realms
       where id > $1
         and import_begun_at is null
         and exists (
               select
                 from jsonb_each(permissions) as permission (name, value)
                where jsonb_array_length(value -> 'direct_members') > 0)
       order by id
       limit $2`,
    values: [afterId, limit],
  })
  return rows.map(({ id }) => id)
}
