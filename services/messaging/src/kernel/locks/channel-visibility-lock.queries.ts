import type { Tx } from '@tms/service-kit'
import { locks } from './locks.ts'

/**
 * Shares the lock of channel visibility until the transaction ends. Transactions that subscribe users, create channels or
 * start conversations share it: they run concurrently, but not with a change of which users see the channels
 * (`takeChannelVisibilityLock`).
 */
export async function shareChannelVisibilityLock(tx: Tx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.channelVisibility, [realmId])
  await tx.query({
    name: 'share-channel-visibility-lock',
    text: `select pg_advisory_xact_lock_shared(hashtextextended('channel visibility of ' || $1::bigint, 0))`,
    values: [realmId],
  })
}

/**
 * Takes the lock of channel visibility and locks all channels of an organization, with their records and subscribers,
 * until the transaction ends, so that the published visibility has a definite order among other events. Waits for all
 * transactions that change a channel, and blocks all senders meanwhile: only for rare changes.
 */
export async function lockAllChannels(tx: Tx, realmId: number): Promise<void> {
  await takeChannelVisibilityLock(tx, realmId)
  tx.lockRecord.add(locks.recipients)
  await tx.query(
    `select recipients.id
       from channels
       join recipients on recipients.id = channels.recipient_id
      where channels.realm_id = $1
      order by recipients.id
        for no key update of recipients`,
    [realmId],
  )
}

/**
 * Takes the lock of channel visibility until the transaction ends. Blocks only the transactions that share it
 * (`shareChannelVisibilityLock`).
 */
export async function takeChannelVisibilityLock(tx: Tx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.channelVisibility, [realmId])
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('channel visibility of ' || $1::bigint, 0))`,
    [realmId],
  )
}
