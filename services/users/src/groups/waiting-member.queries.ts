import type { Tx } from '@tms/service-kit'

/** Whose membership changed by mere time, or because the waiting period did. */
export interface Settled {
  readonly userId: number
  readonly realmId: number
}

/**
 * Whom a statement takes of those who are due; it locks them. `free`: many, but nobody who is being changed, so that
 * nobody waits for each other. `next`: one, for whom it waits: of an account that is always being changed, none would
 * ever be free. Take `next` in a transaction that locks no other account.
 */
export type Whom = 'free' | 'next'

const LOCKED: Record<Whom, string> = {
  free: 'order by accounts.id limit 1000 for no key update of accounts skip locked',
  next: 'order by accounts.id limit 1 for no key update of accounts',
}

/**
 * Since when one must have been here to be a full member. Nobody waits more than a century, which keeps the time
 * within what the database can say.
 */
const JOINED_BEFORE = `
  now() - make_interval(hours => 24 * least((known_realms.projection ->> 'waiting_period_threshold')::int, 36500))`

/** Has a member wait if they joined too lately to be a full one; whether they do. Lock the account first. */
export async function startWaiting(tx: Tx, userId: number): Promise<boolean> {
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

/** Has someone no longer wait; whether they did. Lock the account first. */
export async function stopWaiting(tx: Tx, userId: number): Promise<boolean> {
  const { rows } = await tx.query<{ userId: number }>(
    'delete from waiting_members where user_id = $1 returning user_id as "userId"',
    [userId],
  )
  return rows.length > 0
}

/** Ends the waiting of those who have been here long enough by now. */
export async function endWaiting(tx: Tx, whom: Whom): Promise<Settled[]> {
  const { rows } = await tx.query<Settled>(
    `with due as (
       select accounts.id
         from waiting_members
         join accounts on accounts.id = waiting_members.user_id
         join known_realms on known_realms.realm_id = accounts.realm_id
        where date_joined <= ${JOINED_BEFORE}
        ${LOCKED[whom]}
     )
     delete from waiting_members
      using due
      where user_id = due.id
  returning user_id as "userId", realm_id as "realmId"`,
  )
  return rows
}

/** Has those wait who count as full members though they joined too lately: the waiting period was raised. */
export async function resumeWaiting(tx: Tx, whom: Whom): Promise<Settled[]> {
  const { rows } = await tx.query<Settled>(
    `with young as (
       select accounts.id, accounts.realm_id
         from known_realms
         join accounts on accounts.realm_id = known_realms.realm_id
        where (known_realms.projection ->> 'waiting_period_threshold')::int > 0
          and date_joined > ${JOINED_BEFORE}
          and role = 400
          and not is_system_bot
          and not exists (select from waiting_members where user_id = accounts.id)
        ${LOCKED[whom]}
     )
     insert into waiting_members (user_id, realm_id)
     select id, realm_id from young
         on conflict do nothing
  returning user_id as "userId", realm_id as "realmId"`,
  )
  return rows
}
