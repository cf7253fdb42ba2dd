import type { Publish, Tx } from '@tms/service-kit'
import {
  lockAllChannels,
  takeChannelVisibilityLock,
} from '../kernel/locks/channel-visibility-lock.queries.ts'
import { lockRecipients } from '../kernel/locks/recipient-locks.queries.ts'
import { takeRemovalLocks } from '../kernel/locks/removal-locks.queries.ts'
import { lockPendingMembership } from '../kernel/projections/published-membership.queries.ts'
import { leaveChannels } from '../subscriptions/leave-channels.ts'
import { withTopicRefresh } from '../topics/refresh-topics.ts'
import {
  clearFormerOwner,
  listBotChannels,
  lockOwnerChange,
  lockSubscriptionsOf,
  type OwnerChange,
  restrictReceived,
  transferFiles,
} from './former-owner.queries.ts'
import { notifyOwners } from './notify-owners.ts'

/**
 * Locks what `applyOwnerChange` changes, if a bot has a new owner, and returns the change.
 */
export async function lockForOwnerChange(tx: Tx, userId: number): Promise<OwnerChange | null> {
  const change = await lockOwnerChange(tx, userId)
  if (!change) return null
  await takeChannelVisibilityLock(tx, change.realmId)
  const recipientIds = (await listBotChannels(tx, change)).map(({ recipientId }) => recipientId)
  await takeRemovalLocks(tx, recipientIds)
  // With a new role or activity all channels are locked: locking some of them before would break the order.
  if (await lockPendingMembership(tx, userId)) await lockAllChannels(tx, change.realmId)
  else await lockRecipients(tx, recipientIds)
  return change
}

/**
 * Removes from a bot what its new owner, who has its key, must not get through it: it leaves private channels that the
 * owner isn't subscribed to, keeps only those messages of protected histories that the owner received too, and its
 * files go to its former owner. Notifies both. Needs the locks of `lockForOwnerChange`.
 */
export async function applyOwnerChange(
  tx: Tx,
  publish: Publish<'messaging'>,
  change: OwnerChange,
  requestId: string | null,
): Promise<void> {
  const { botId, realmId, ownerId, formerOwnerId } = change
  await clearFormerOwner(tx, botId)
  if (ownerId === formerOwnerId) return
  const cause = { realmId, requestId }
  // Read again under the locks.
  const closed = (await listBotChannels(tx, change)).filter(({ isClosedToOwner }) => isClosedToOwner)
  const channelIds = closed.map(({ id }) => id)
  const scopes = [{ channelIds, userIds: [botId] }]
  await withTopicRefresh(tx, { publish, cause, scopes }, async () => {
    await lockSubscriptionsOf(tx, botId)
    await leaveChannels(tx, { channelIds, userIds: [botId] }, { publish, cause })
    await restrictReceived(tx, change)
  })
  await notifyOwners(tx, change, requestId)
  // Files are locked after conversations, as in every send.
  await transferFiles(tx, change)
}
