import type { Tx } from '@tms/service-kit'
import { locks } from './locks.ts'
import { lockRecipients } from './recipient-locks.queries.ts'

/**
 * Number of removal locks, which recipients share: one request may concern thousands of recipients, and the lock
 * table of PostgreSQL has a fixed size for all. They are advisory locks, because senders wait for the rows of
 * recipients.
 */
const LOCKS = 128

/**
 * Prevents these messages of a realm from being deleted or moved away until the transaction ends (see
 * `lockForRemoval`), and returns the recipients whose locks it holds. It doesn't block senders. If
 * a message is moved at the same time, its new recipient may not be among them.
 */
export async function shareRemovalLocks(
  tx: Tx,
  realmId: number,
  messageIds: readonly number[],
): Promise<ReadonlySet<number>> {
  tx.lockRecord.add(locks.removal)
  const { rows } = await tx.query<{ id: number }>({
    name: 'share-removal-locks',
    text: `
      with locked_recipients as materialized (
        select distinct recipient_id as id
          from messages
         where realm_id = $1
           and id = any($2::bigint[])
      ), shared_locks as materialized (
        select pg_advisory_xact_lock_shared(hashtext('removal locks'), lock)
          from (select distinct (id % ${LOCKS})::integer as lock from locked_recipients order by lock) as locks
      )
      select id
        from locked_recipients
       where (select count(*) from shared_locks) > 0`,
    values: [realmId, messageIds],
  })
  return new Set(rows.map(({ id }) => id))
}

/**
 * Locks recipients as `lockRecipients` does, after waiting for all holders of shared removal locks: flags go with
 * their messages, so nobody may be adding any while the messages are removed.
 */
export async function lockForRemoval(tx: Tx, recipientIds: readonly number[]): Promise<void> {
  await takeRemovalLocks(tx, recipientIds)
  await lockRecipients(tx, recipientIds)
}

/**
 * Takes the removal locks of these recipients exclusively: waits for all who share them and blocks new ones until
 * the transaction ends. So a change of who may see messages has a definite position among the events about them.
 */
export async function takeRemovalLocks(tx: Tx, recipientIds: readonly number[]): Promise<void> {
  tx.lockRecord.add(locks.removal, recipientIds)
  await tx.query({
    name: 'take-removal-locks',
    text: `
      select pg_advisory_xact_lock(hashtext('removal locks'), lock)
        from (select distinct (id % ${LOCKS})::integer as lock
                from unnest($1::bigint[]) as recipient (id)
               order by lock) as locks`,
    values: [recipientIds],
  })
}
