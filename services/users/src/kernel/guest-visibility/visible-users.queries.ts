import { GROUP_WITH_GUESTS } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'

/**
 * Users that a guest sees besides themselves and bots; null if guests are unrestricted. The restriction applies as
 * soon as the projection of the organization has it: until messaging publishes visibility, guests see no other users.
 */
export async function findVisibleUserIds(
  db: Queryable,
  realmId: number,
  guestId: number,
): Promise<readonly number[] | null> {
  const { rows } = await db.query<{ visibleUserIds: number[] }>({
    name: 'visible-user-ids-of-guest',
    text: `
      select coalesce((select json_agg(visible_user_id order by visible_user_id) from guest_visibility where guest_id = $2), '[]')
               as "visibleUserIds"
        from known_realms
       where realm_id = $1
         and projection ->> 'can_access_all_users_group' <> '${GROUP_WITH_GUESTS}'`,
    values: [realmId, guestId],
  })
  return rows[0]?.visibleUserIds ?? null
}

/** Whether guests of an organization are restricted. Stays valid only under a lock of administration. */
export async function isGuestVisibilityRestricted(tx: Queryable, realmId: number): Promise<boolean> {
  const { rows } = await tx.query<{ isLimited: boolean }>(
    'select is_limited as "isLimited" from guest_visibility_policies where realm_id = $1',
    [realmId],
  )
  return rows[0]?.isLimited ?? false
}
