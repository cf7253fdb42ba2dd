import type { RealmProjection, UserProjection } from '@tms/contracts'
import type { Queryable, Tx } from '@tms/service-kit'
import { locks } from '../locks/locks.ts'
import { caseKey } from '../text/case-key.ts'

/** An organization; null if it is unknown here. */
export async function findKnownRealm(db: Queryable, realmId: number): Promise<RealmProjection | null> {
  const { rows } = await db.query<{ projection: RealmProjection }>({
    name: 'find-known-realm',
    text: 'select projection from known_realms where realm_id = $1',
    values: [realmId],
  })
  return rows[0]?.projection ?? null
}

/** A user as known here, who doesn't change until the transaction ends; null if unknown. */
export async function lockKnownUser(tx: Tx, userId: number): Promise<UserProjection | null> {
  tx.lockRecord.add(locks.knownUsersAndRealms, [userId])
  const { rows } = await tx.query<{ projection: UserProjection }>({
    name: 'lock-known-user',
    text: 'select projection from known_users where user_id = $1 for no key update',
    values: [userId],
  })
  return rows[0]?.projection ?? null
}

/** Those of the users who are known here, of any organization. */
export async function listKnownUsers(db: Queryable, userIds: readonly number[]): Promise<UserProjection[]> {
  const { rows } = await db.query<{ projection: UserProjection }>({
    name: 'list-known-users',
    text: 'select projection from known_users where user_id = any((select $1::bigint[])::bigint[])',
    values: [userIds],
  })
  return rows.map(({ projection }) => projection)
}

/** Known users by API e-mail address, ignoring case. */
export function listKnownUsersByEmail(
  db: Queryable,
  realmId: number,
  emails: readonly string[],
): Promise<UserProjection[]> {
  return listKnownUsersByKey(db, realmId, 'email_key', emails)
}

/** Known users by full name, ignoring case. Names are not unique. */
export function listKnownUsersByName(
  db: Queryable,
  realmId: number,
  names: readonly string[],
): Promise<UserProjection[]> {
  return listKnownUsersByKey(db, realmId, 'name_key', names)
}

async function listKnownUsersByKey(
  db: Queryable,
  realmId: number,
  column: 'email_key' | 'name_key',
  texts: readonly string[],
): Promise<UserProjection[]> {
  const { rows } = await db.query<{ projection: UserProjection }>({
    name: `list-known-users-by-${column}`,
    text: `select projection from known_users where realm_id = $1 and ${column} = any($2)`,
    values: [realmId, texts.map(caseKey)],
  })
  return rows.map(({ projection }) => projection)
}

/** IDs of the users that meet a condition on `known_users`, among these or all, in their order. */
export async function listKnownUserIds(
  db: Queryable,
  condition: string,
  among: readonly number[] | null,
): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>(
    `select user_id as "userId"
       from known_users
      where ${condition}
        and ($1::bigint[] is null or user_id = any ($1))
      order by user_id`,
    [among],
  )
  return rows.map(({ userId }) => userId)
}

/** The system bot of an organization; null if it isn't known here yet. */
export async function findSystemBot(db: Queryable, realmId: number): Promise<UserProjection | null> {
  const { rows } = await db.query<{ projection: UserProjection }>({
    name: 'find-system-bot',
    text: `
      select projection
        from known_users
       where realm_id = $1
         and projection -> 'is_system_bot' = 'true'
       limit 1`,
    values: [realmId],
  })
  return rows[0]?.projection ?? null
}

/** IDs of the users who have muted a user. */
export async function listMuters(db: Queryable, realmId: number, userId: number): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-muters',
    text: `
      select user_id as "userId"
        from known_users
       where projection -> 'muted_user_ids' @> to_jsonb($2::bigint)
         and projection -> 'muted_user_ids' <> '[]'
         and realm_id = $1
       order by user_id`,
    values: [realmId, userId],
  })
  return rows.map((row) => row.userId)
}
