import type { Tx } from '@tms/service-kit'
import { locks } from './locks.ts'

/**
 * Shared lock for subscribing and creating channels: such transactions run concurrently, but not with a change of who
 * sees the channels. It conflicts with `takeSubscribingLock`.
 */
export async function shareSubscribingLock(tx: Tx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.subscribing, [realmId])
  await tx.query({
    name: 'share-channel-visibility-lock',
    text: `select pg_advisory_xact_lock_shared(hashtextextended('channel visibility of ' || $1::bigint, 0))`,
    values: [realmId],
  })
}

/**
 * Locks an organization's channels, their records and subscribers until the transaction ends, so that the published
 * visibility has a definite order among other events. Waits for everyone who is changing a channel, and blocks all
 * senders meanwhile: only for rare changes.
 */
export async function lockChannelVisibility(tx: Tx, realmId: number): Promise<void> {
  await takeSubscribingLock(tx, realmId)
  tx.lockRecord.add(locks.recipients)
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
 * Blocks subscribing and creating channels (`shareSubscribingLock`) until the transaction ends, and nothing
 * else.
 */
export async function takeSubscribingLock(tx: Tx, realmId: number): Promise<void> {
  tx.lockRecord.add(locks.subscribing, [realmId])
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('channel visibility of ' || $1::bigint, 0))`,
    [realmId],
  )
}
