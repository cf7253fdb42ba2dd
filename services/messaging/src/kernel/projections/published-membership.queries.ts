import type { Queryable, Tx } from '@tms/service-kit'
import { locks } from '../locks/locks.ts'
import { listKnownUserIds } from './known-user.queries.ts'

/** Last published and current role and activity of a user. */
export interface PublishedMembership {
  readonly userId: number
  readonly realmId: number
  readonly publishedRole: number
  readonly role: number
  readonly publishedActive: boolean
  readonly isActive: boolean
}

const IS_PENDING = `(published_role <> (projection ->> 'role')::smallint or published_active <> (projection ->> 'is_active')::boolean)`

/** The user, locked, if role or activity differ from what was last published; null otherwise. */
export async function lockPendingMembership(tx: Tx, userId: number): Promise<PublishedMembership | null> {
  tx.lockRecord.add(locks.knownUsersAndRealms, [userId])
  const { rows } = await tx.query<PublishedMembership>({
    name: 'lock-pending-membership',
    text: `
      select user_id as "userId", realm_id as "realmId", published_role as "publishedRole",
             (projection ->> 'role')::smallint as role, published_active as "publishedActive",
             (projection ->> 'is_active')::boolean as "isActive"
        from known_users
       where user_id = $1
         and ${IS_PENDING}
         for no key update`,
    values: [userId],
  })
  return rows[0] ?? null
}

/** Users whose role or activity differ from what was last published. */
export function listUsersWithPendingMembership(
  db: Queryable,
  among: readonly number[] | null = null,
): Promise<number[]> {
  return listKnownUserIds(db, IS_PENDING, among)
}

/** Records that the current role and activity are published. Needs the lock of `lockPendingMembership`. */
export async function savePublishedMembership(
  tx: Tx,
  { userId, role, isActive }: PublishedMembership,
): Promise<void> {
  await tx.query({
    name: 'save-published-membership',
    text: 'update known_users set published_role = $2, published_active = $3 where user_id = $1',
    values: [userId, role, isActive],
  })
}

/** The last published role of a user; null if the user is unknown here. */
export async function findPublishedRole(db: Queryable, userId: number): Promise<number | null> {
  const { rows } = await db.query<{ role: number }>({
    name: 'find-published-role',
    text: 'select published_role as role from known_users where user_id = $1',
    values: [userId],
  })
  return rows[0]?.role ?? null
}

/** Those of the users who were last published as deactivated. */
export async function listPublishedInactive(db: Queryable, userIds: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-published-inactive',
    text: 'select user_id as "userId" from known_users where user_id = any($1) and not published_active',
    values: [userIds],
  })
  return rows.map(({ userId }) => userId)
}
