import type { Tx } from '@tms/service-kit'
import { lockRecipients } from '../subscriptions/subscription.queries.ts'

/**
 * Places share so many locks: a request may concern thousands of places, and PostgreSQL's table of locks is one for all.
 * They are advisory ones, because the places' rows are what senders wait for.
 */
const LOCKS = 128

/**
 * Keeps these messages of a realm from being deleted or moved away until the transaction ends (`lockForRemoval`), and returns
 * the places in which they are kept. Take it before any row's lock; senders have nothing to do with it. A message that
 * was just being moved may stand in another place by now, and isn't kept there.
 */
export async function keepInPlaces(
  tx: Tx,
  realmId: number,
  messageIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await tx.query<{ id: number }>({
    name: 'keep-in-places',
    text: `
      with places as materialized (
        select distinct recipient_id as id
          from messages
         where realm_id = $1
           and id = any($2::bigint[])
      ), kept as materialized (
        select pg_advisory_xact_lock_shared(hashtext('places'), lock)
          from (select distinct (id % ${LOCKS})::integer as lock from places order by lock) as locks
      )
      select id
        from places
       where (select count(*) from kept) > 0`,
    values: [realmId, messageIds],
  })
  return new Set(rows.map(({ id }) => id))
}

/**
 * Locks places of messages as `lockRecipients` does, once nobody keeps messages there: what users note of messages goes with
 * them, so nobody may be noting anything while they go. Take it before any other lock.
 */
export async function lockForRemoval(tx: Tx, recipientIds: readonly number[]): Promise<void> {
  await endKeeping(tx, recipientIds)
  await lockRecipients(tx, recipientIds)
}

/**
 * Waits until nobody keeps messages in these places, and keeps others from doing so until the transaction ends: who may hear of
 * them changes at a definite place among what is told of them. Take it before any other lock.
 */
export async function endKeeping(tx: Tx, recipientIds: readonly number[]): Promise<void> {
  await tx.query({
    name: 'end-keeping',
    text: `
      select pg_advisory_xact_lock(hashtext('places'), lock)
        from (select distinct (id % ${LOCKS})::integer as lock
                from unnest($1::bigint[]) as place (id)
               order by lock) as locks`,
    values: [recipientIds],
  })
}
