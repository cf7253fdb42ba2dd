import type { Queryable } from '@tms/service-kit'

/** Whether a permission on a channel of the organization names a custom group; archived channels can't be used again. */
export async function isGroupUsed(db: Queryable, realmId: number, groupId: number): Promise<boolean> {
  const { rows } = await db.query<{ isUsed: boolean }>({
    name: 'is-group-used-by-channels',
    text: `
      select exists (
        select
          from channels
         cross join lateral jsonb_each(permissions) as permission (name, value)
         where realm_id = $1
           and not is_archived
           and (value = to_jsonb($2::bigint) or value -> 'direct_subgroups' @> to_jsonb($2::bigint))
      ) as "isUsed"`,
    values: [realmId, groupId],
  })
  return rows[0]?.isUsed ?? false
}
