import type { Tx } from '@tms/service-kit'
import { locks } from './locks.ts'

/**
 * Shares the lock of channel grants until the transaction ends. Transactions that create channels or change their kind or permissions
 * share it: before they ask whether groups are active, so that no deactivation misses a permission, and before they read who is in a
 * group, so that no change of the group misses a private channel.
 */
export async function shareChannelGrantsLock(tx: Tx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.channelGrants, [realmId])
  await tx.query({
    name: 'share-channel-grants-lock',
    text: `select pg_advisory_xact_lock_shared(hashtextextended('channel grants of ' || $1::bigint, 0))`,
    values: [realmId],
  })
}

/**
 * Takes the lock of channel grants until the transaction ends: which channels name which groups stays as it is. Blocks only
 * the transactions that share it (`shareChannelGrantsLock`).
 */
export async function takeChannelGrantsLock(tx: Tx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.channelGrants, [realmId])
  await tx.query({
    name: 'take-channel-grants-lock',
    text: `select pg_advisory_xact_lock(hashtextextended('channel grants of ' || $1::bigint, 0))`,
    values: [realmId],
  })
}
