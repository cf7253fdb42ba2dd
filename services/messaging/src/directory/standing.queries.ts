import type { Queryable, Tx } from '@tms/service-kit'

/** How messaging has told a user's clients, and others, that the user stands; and how the user really stands. */
export interface Standings {
  readonly userId: number
  readonly realmId: number
  readonly publishedRole: number
  readonly role: number
  readonly publishedActive: boolean
  readonly isActive: boolean
}

const DIFFERS = `(published_role <> (projection ->> 'role')::smallint or published_active <> (projection ->> 'is_active')::boolean)`

/** The user, locked, if what has been told of their standing isn't how it is. */
export async function lockPendingChange(tx: Tx, userId: number): Promise<Standings | null> {
  const { rows } = await tx.query<Standings>({
    name: 'lock-untold-standing',
    text: `
      select user_id as "userId", realm_id as "realmId", published_role as "publishedRole",
             (projection ->> 'role')::smallint as role, published_active as "publishedActive",
             (projection ->> 'is_active')::boolean as "isActive"
        from known_users
       where user_id = $1
         and ${DIFFERS}
         for no key update`,
    values: [userId],
  })
  return rows[0] ?? null
}

/** Users of whose standing something else has been told than what it is. */
export async function listUntold(db: Queryable, among: readonly number[] | null = null): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>(
    `select user_id as "userId"
       from known_users
      where ${DIFFERS}
        and ($1::bigint[] is null or user_id = any ($1))
      order by user_id`,
    [among],
  )
  return rows.map(({ userId }) => userId)
}

/** Notes that everything has been told. Needs the lock of `lockPendingChange`. */
export async function saveTold(tx: Tx, { userId, role, isActive }: Standings): Promise<void> {
  await tx.query({
    name: 'save-told-standing',
    text: 'update known_users set published_role = $2, published_active = $3 where user_id = $1',
    values: [userId, role, isActive],
  })
}

/** The role by which a user's clients have been told what is there; null for someone unknown here. */
export async function findPublishedRole(db: Queryable, userId: number): Promise<number | null> {
  const { rows } = await db.query<{ role: number }>({
    name: 'find-told-role',
    text: 'select published_role as role from known_users where user_id = $1',
    values: [userId],
  })
  return rows[0]?.role ?? null
}

/** Those of these users of whom it has been told that they are deactivated. */
export async function listPublishedInactive(db: Queryable, userIds: readonly number[]): Promise<number[]> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'list-told-inactive',
    text: 'select user_id as "userId" from known_users where user_id = any($1) and not published_active',
    values: [userIds],
  })
  return rows.map(({ userId }) => userId)
}

/**
 * Lets subscribing and creating channels go on at once with others, and with no change of who sees them. Take it
 * before any other lock; `lockSight` waits for who holds it, and holds off who wants it.
 */
export async function shareSight(tx: Tx, realmId: number): Promise<void> {
  await tx.query({
    name: 'share-sight',
    text: `select pg_advisory_xact_lock_shared(hashtextextended('sight of channels of ' || $1::bigint, 0))`,
    values: [realmId],
  })
}

/**
 * Keeps an organization's channels, their records and subscribers as they are until the transaction ends, so that
 * what is told of them has a definite place among what else is told. Waits for everyone who is changing one, and
 * holds off every sender for as long: for what happens seldom.
 */
export async function lockSight(tx: Tx, realmId: number): Promise<void> {
  await lockSubscribing(tx, realmId)
  await tx.query(
    `select recipients.id
       from channels
       join recipients on recipients.id = channels.recipient_id
      where channels.realm_id = $1
        and not channels.is_archived
      order by recipients.id
        for no key update of recipients`,
    [realmId],
  )
}

/**
 * Holds off subscribing and creating channels (`shareSight`) until the transaction ends, and nothing else. Take it before
 * any other lock.
 */
export async function lockSubscribing(tx: Tx, realmId: number): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('sight of channels of ' || $1::bigint, 0))`, [
    realmId,
  ])
}
