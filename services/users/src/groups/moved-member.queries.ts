import type { Queryable, Tx } from '@tms/service-kit'
import { JOINED_BEFORE } from '../kernel/groups/waiting-member.queries.ts'
import { locks } from '../kernel/locks.ts'

/** A member who enters or leaves the group of full members by time or by a changed waiting period. */
export interface MovedMember {
  readonly userId: number
  readonly realmId: number
  /** For clients, a deactivated user is in no group. */
  readonly isActive: boolean
}

/**
 * How a statement locks the accounts that are due. `skip-locked`: up to 1,000, skipping locked ones, so that no two
 * transactions block each other. `wait-for-next`: one, waiting for its lock, because an account under constant change would
 * never be free. Use `wait-for-next` only in a transaction that locks no other account.
 */
export type LockMode = 'skip-locked' | 'wait-for-next'

const LOCK_CLAUSES: Record<LockMode, string> = {
  'skip-locked': 'order by accounts.id limit 1000 for no key update of accounts skip locked',
  'wait-for-next': 'order by accounts.id limit 1 for no key update of accounts',
}

/** Accounts whose waiting period is over. */
const DUE = `
         from waiting_members
         join accounts on accounts.id = waiting_members.user_id
         join known_realms on known_realms.realm_id = accounts.realm_id
        where date_joined <= ${JOINED_BEFORE}`
/** Full members who joined too recently. */
const RECENT = `
         from known_realms
         join accounts on accounts.realm_id = known_realms.realm_id
        where (known_realms.projection ->> 'waiting_period_threshold')::int > 0
          and date_joined > ${JOINED_BEFORE}
          and role = 400
          and not is_system_bot
          and not exists (select from waiting_members where user_id = accounts.id)`

/** Whether a waiting period has to end or to start again: one statement, where looking with locks takes four transactions. */
export async function hasMembersToMove(db: Queryable): Promise<boolean> {
  const { rows } = await db.query<{ hasAny: boolean }>(
    `select exists (select ${DUE}) or exists (select ${RECENT}) as "hasAny"`,
  )
  return rows[0]?.hasAny === true
}

/** Ends waiting periods that are over. */
export async function endWaitingPeriods(tx: Tx, lockMode: LockMode): Promise<MovedMember[]> {
  tx.lockRecord.add(locks.accounts)
  const { rows } = await tx.query<MovedMember>(
    `with due as (
       select accounts.id, accounts.is_active
        ${DUE}
        ${LOCK_CLAUSES[lockMode]}
     )
     delete from waiting_members
      using due
      where user_id = due.id
  returning user_id as "userId", realm_id as "realmId", due.is_active as "isActive"`,
  )
  return rows
}

/** Restarts waiting periods of full members who joined too recently, after the period was raised. */
export async function restartWaitingPeriods(tx: Tx, lockMode: LockMode): Promise<MovedMember[]> {
  tx.lockRecord.add(locks.accounts)
  const { rows } = await tx.query<MovedMember>(
    `with recent as (
       select accounts.id, accounts.realm_id, accounts.is_active
        ${RECENT}
        ${LOCK_CLAUSES[lockMode]}
     ), inserted as (
       insert into waiting_members (user_id, realm_id)
       select id, realm_id from recent
           on conflict do nothing
    returning user_id
     )
     select user_id as "userId", realm_id as "realmId", is_active as "isActive"
       from inserted
       join recent on id = user_id`,
  )
  return rows
}
