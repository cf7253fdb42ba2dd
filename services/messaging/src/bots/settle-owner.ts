import type { Publish, Tx } from '@tms/service-kit'
import { listDeserted } from '../channels/channel-update.queries.ts'
import { lockPendingChange, lockSight, lockSubscribing } from '../directory/standing.queries.ts'
import { endKeeping } from '../messages/place-locks.queries.ts'
import { leaveChannels } from '../subscriptions/leave-channels.ts'
import { lockRecipients } from '../subscriptions/subscription.queries.ts'
import { retellingTopics } from '../topics/retell-topics.ts'
import {
  forgetFormerOwner,
  giveFiles,
  limitReceived,
  listBotChannels,
  lockOwnerChange,
  lockSubscriptionsOf,
  type OwnerChange,
} from './former-owner.queries.ts'
import { notifyOwners } from './notify-owners.ts'

/**
 * Locks what `settleOwner` changes if a bot has another owner, and returns the change. Before every other lock but
 * that of the bot itself.
 */
export async function lockForNewOwner(tx: Tx, userId: number): Promise<OwnerChange | null> {
  const change = await lockOwnerChange(tx, userId)
  if (!change) return null
  await lockSubscribing(tx, change.realmId)
  const recipientIds = (await listBotChannels(tx, change)).map(({ recipientId }) => recipientId)
  await endKeeping(tx, recipientIds)
  // With another role or activity all channels are locked: those that are locked before would be out of order.
  if (await lockPendingChange(tx, userId)) await lockSight(tx, change.realmId)
  else await lockRecipients(tx, recipientIds)
  await lockSubscriptionsOf(tx, userId)
  return change
}

/**
 * Takes from a bot what its new owner, who has its key, must not get by it: it leaves private channels that they aren't
 * in, keeps of protected histories what they received too, and its files stay with its former owner. Both are told.
 * Needs the locks of `lockForNewOwner`.
 */
export async function settleOwner(
  tx: Tx,
  publish: Publish<'messaging'>,
  change: OwnerChange,
  requestId: string | null,
): Promise<void> {
  const { botId, realmId, ownerId, formerOwnerId } = change
  await forgetFormerOwner(tx, botId)
  if (ownerId === formerOwnerId) return
  const cause = { realmId, requestId }
  // Read again under the locks.
  const closed = (await listBotChannels(tx, change)).filter(({ isClosedToOwner }) => isClosedToOwner)
  const channelIds = closed.map(({ id }) => id)
  const deserted = await listDeserted(tx, channelIds, [botId])
  const scopes = [
    { channelIds: deserted, muting: true },
    { channelIds, userIds: [botId] },
  ]
  await retellingTopics(tx, { publish, cause, scopes }, async () => {
    await leaveChannels(tx, { channelIds, userIds: [botId] }, { publish, cause })
    await limitReceived(tx, change)
  })
  await notifyOwners(tx, change, requestId)
  // Files are locked after conversations, as by whoever sends one.
  await giveFiles(tx, change)
}
