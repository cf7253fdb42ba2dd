import type { Queryable, Tx } from '@tms/service-kit'

/**
 * Members who joined before this are full members. The period is capped at a century, to stay within the range of
 * timestamps.
 */
export const JOINED_BEFORE = `
  now() - make_interval(hours => 24 * least((known_realms.projection ->> 'waiting_period_threshold')::int, 36500))`

/** Starts the waiting period of a member who joined too recently; returns whether it did. Lock the account first. */
export async function startWaitingPeriod(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await tx.query<{ userId: number }>(
    `insert into waiting_members (user_id, realm_id)
     select accounts.id, accounts.realm_id
       from accounts
       join known_realms using (realm_id)
      where accounts.id = $1
        and date_joined > ${JOINED_BEFORE}
         on conflict do nothing
  returning user_id as "userId"`,
    [userId],
  )
  return rows.length > 0
}

/** Whether a user is in the waiting period, as last published. Lock the account first. */
export async function isInWaitingPeriod(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await tx.query('select from waiting_members where user_id = $1', [userId])
  return rows.length > 0
}

/** IDs of an organization's members in the waiting period, as last published. */
export async function listWaitingMembers(db: Queryable, realmId: number): Promise<Set<number>> {
  const { rows } = await db.query<{ userId: number }>({
    name: 'waiting-members-of-realm',
    text: 'select user_id as "userId" from waiting_members where realm_id = $1',
    values: [realmId],
  })
  return new Set(rows.map(({ userId }) => userId))
}

/** Ends a user's waiting period; returns whether there was one. Lock the account first. */
export async function stopWaitingPeriod(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await tx.query<{ userId: number }>(
    'delete from waiting_members where user_id = $1 returning user_id as "userId"',
    [userId],
  )
  return rows.length > 0
}
