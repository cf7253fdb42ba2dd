import { type ChannelRecord, canSeeDefaultChannels, canSeeUnsubscribed, domainEvents } from '@tms/contracts'
import type { Cause, Publish, Tx } from '@tms/service-kit'
import { lockDefaultChannels } from '../channels/channel-update.queries.ts'
import { queueVisibilityOfNewGuest } from '../guest-visibility/queue-policy-change.ts'
import {
  listChannelIdsNaming,
  listChannelRecords,
  listDefaultChannelRecords,
} from '../kernel/channels/channel-record.queries.ts'
import {
  listRoleDependentChannels,
  listSubscribedChannels,
} from '../kernel/channels/visible-channel.queries.ts'
import { lockAllChannels } from '../kernel/locks/channel-visibility-lock.queries.ts'
import {
  lockPendingMembership,
  type PublishedMembership,
  savePublishedMembership,
} from '../kernel/projections/published-membership.queries.ts'
import { listSubscriberIds } from '../kernel/subscriptions/subscription.queries.ts'
import { withTopicRefresh } from '../topics/refresh-topics.ts'
import { type GainedChannel, splitVisibilityChange } from './channel-visibility-parts.rules.ts'

const { channelUpdated, channelVisibilityChanged, subscriberActivityChanged } = domainEvents.messaging

/**
 * Publishes what follows from a user's new role or activity, if that is pending: which channels they see, and who is
 * an active subscriber, and what permissions on channels show. Called by `publishUserChanges`.
 */
export async function publishMembershipChanges(
  tx: Tx,
  publish: Publish<'messaging'>,
  userId: number,
  requestId: string | null,
): Promise<void> {
  const membership = await lockPendingMembership(tx, userId)
  if (!membership) return
  const cause = { realmId: membership.realmId, requestId }
  const changesActivity = membership.isActive !== membership.publishedActive
  if (changesActivity || changesChannelVisibility(membership)) await lockAllChannels(tx, membership.realmId)
  const naming = changesActivity ? await listChannelIdsNaming(tx, membership.realmId, userId) : []
  const before = await listChannelRecords(tx, naming)
  const scopes = changesChannelVisibility(membership) ? [{ userIds: [userId] }] : []
  await withTopicRefresh(tx, { publish, cause, scopes }, async () => {
    await savePublishedMembership(tx, membership)
    if (changesActivity) {
      await publishSubscriberActivity(tx, publish, membership, cause)
      await publishShownPermissions(tx, publish, before, cause)
    }
    if (membership.role === membership.publishedRole) return
    await publishChannelVisibility(tx, publish, membership, cause)
    await queueVisibilityOfNewGuest(tx, userId, membership.role, cause)
  })
}

async function publishSubscriberActivity(
  tx: Tx,
  publish: Publish<'messaging'>,
  { userId, isActive }: PublishedMembership,
  cause: Cause,
): Promise<void> {
  for (const { record: channel } of await listSubscribedChannels(tx, userId, { withArchived: true })) {
    await publish(tx, subscriberActivityChanged, { channel, user_id: userId, is_active: isActive }, cause)
  }
}

/** Publishes that permissions on these channels show a user no longer, or again. */
async function publishShownPermissions(
  tx: Tx,
  publish: Publish<'messaging'>,
  before: readonly ChannelRecord[],
  cause: Cause,
): Promise<void> {
  const ids = before.map(({ stream_id }) => stream_id)
  for (const [at, channel] of (await listChannelRecords(tx, ids)).entries()) {
    const earlier = before[at]
    if (earlier) await publish(tx, channelUpdated, { before: earlier, channel, subscribers: [] }, cause)
  }
}

async function publishChannelVisibility(
  tx: Tx,
  publish: Publish<'messaging'>,
  membership: PublishedMembership,
  cause: Cause,
): Promise<void> {
  const { userId, realmId, role, publishedRole } = membership
  const channels = changesChannelVisibility(membership) ? await listRoleDependentChannels(tx, realmId) : []
  const canSee = (by: number) => (channel: ChannelRecord) => canSeeUnsubscribed(by, channel)
  const gained = channels.filter((channel) => canSee(role)(channel) && !canSee(publishedRole)(channel))
  const lost = channels.filter((channel) => canSee(publishedRole)(channel) && !canSee(role)(channel))
  const default_channels =
    canSeeDefaultChannels(role) === canSeeDefaultChannels(publishedRole)
      ? null
      : await listDefaults(tx, realmId, role)

  const subscribers = await listSubscriberIds(
    tx,
    gained.map(({ stream_id }) => stream_id),
  )
  const gainedChannels = gained.map(
    (channel): GainedChannel => ({ channel, subscribers: subscribers.get(channel.stream_id) ?? [] }),
  )
  for (const [at, part] of splitVisibilityChange(gainedChannels, lost).entries()) {
    const defaults = at === 0 ? default_channels : null
    await publish(
      tx,
      channelVisibilityChanged,
      { user_id: userId, role, ...part, default_channels: defaults },
      cause,
    )
  }
}

async function listDefaults(tx: Tx, realmId: number, role: number) {
  if (!canSeeDefaultChannels(role)) return []
  await lockDefaultChannels(tx, realmId)
  const records = await listDefaultChannelRecords(tx, realmId)
  return records.map(({ stream_weekly_traffic: _traffic, ...record }) => record)
}

/** Whether the roles see different channels: guests see fewer public ones, administrators see all private ones. */
function changesChannelVisibility({ role, publishedRole }: PublishedMembership): boolean {
  return [true, false].some((invite_only) => {
    const kind = { invite_only, is_web_public: false }
    return canSeeUnsubscribed(role, kind) !== canSeeUnsubscribed(publishedRole, kind)
  })
}
