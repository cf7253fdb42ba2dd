import { type ChannelRecord, canSeeDefaultChannels, canSeeUnsubscribed, domainEvents } from '@tms/contracts'
import type { Cause, Publish, Tx } from '@tms/service-kit'
import { lockDefaultChannels } from '../channels/channel-update.queries.ts'
import { queueVisibilityOfNewGuest } from '../guest-visibility/queue-policy-change.ts'
import { listDefaultChannelIds } from '../kernel/channels/channel.queries.ts'
import { listChannelIdsNaming, listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import {
  isGrantedByRole,
  listRoleDependentChannels,
  listSubscribedChannels,
  type RoleDependentChannel,
} from '../kernel/channels/visible-channel.queries.ts'
import { findSameViewers } from '../kernel/grantees/find-same-viewers.ts'
import { listViewers } from '../kernel/grantees/grantees.queries.ts'
import {
  lockAllChannels,
  takeChannelVisibilityLock,
} from '../kernel/locks/channel-visibility-lock.queries.ts'
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
  if (membership.role !== membership.publishedRole) await takeChannelVisibilityLock(tx, membership.realmId)
  const changesVisibility = changesVisibilityByKind(membership) || (await isGrantedByRole(tx, membership))
  if (changesActivity || changesVisibility) await lockAllChannels(tx, membership.realmId)
  const naming = changesActivity ? await listChannelIdsNaming(tx, membership.realmId, userId) : []
  const before = await listChannelRecords(tx, naming)
  const scopes = changesVisibility ? [{ userIds: [userId] }] : []
  await withTopicRefresh(tx, { publish, cause, scopes }, async () => {
    await savePublishedMembership(tx, membership)
    if (changesActivity) {
      await publishSubscriberActivity(tx, publish, membership, cause)
      await publishShownPermissions(tx, publish, before, cause)
    }
    if (membership.role === membership.publishedRole) return
    await publishChannelVisibility(tx, publish, { ...membership, changesVisibility }, cause)
    await queueVisibilityOfNewGuest(tx, userId, membership.role, cause)
  })
}

async function publishSubscriberActivity(
  tx: Tx,
  publish: Publish<'messaging'>,
  { userId, isActive }: PublishedMembership,
  cause: Cause,
): Promise<void> {
  const channels = await listSubscribedChannels(tx, userId, { withArchived: true })
  const viewers = await listViewers(
    tx,
    channels.map(({ record }) => record.stream_id),
  )
  for (const { record: channel } of channels) {
    const payload = { channel, user_id: userId, is_active: isActive, viewers: viewers.get(channel.stream_id) }
    await publish(tx, subscriberActivityChanged, payload, cause)
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
    if (!earlier) continue
    const viewers = await findSameViewers(tx, channel.stream_id)
    await publish(tx, channelUpdated, { before: earlier, channel, subscribers: [], ...viewers }, cause)
  }
}

async function publishChannelVisibility(
  tx: Tx,
  publish: Publish<'messaging'>,
  membership: PublishedMembership & { readonly changesVisibility: boolean },
  cause: Cause,
): Promise<void> {
  const { userId, realmId, role, publishedRole, changesVisibility } = membership
  const channels = changesVisibility ? await listRoleDependentChannels(tx, realmId, userId) : []
  const canSee = (by: number, { record, viewerRole, isGrantee }: RoleDependentChannel) =>
    canSeeUnsubscribed(by, record, isGrantee || by <= viewerRole)
  const seenOnlyBy = (one: number, other: number) =>
    channels.filter((channel) => canSee(one, channel) && !canSee(other, channel)).map(({ record }) => record)
  const [gained, lost] = [seenOnlyBy(role, publishedRole), seenOnlyBy(publishedRole, role)]
  const defaultChannelIds =
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
    const defaults = at === 0 ? defaultChannelIds : null
    await publish(
      tx,
      channelVisibilityChanged,
      { user_id: userId, role, ...part, default_channel_ids: defaults },
      cause,
    )
  }
}

async function listDefaults(tx: Tx, realmId: number, role: number): Promise<number[]> {
  if (!canSeeDefaultChannels(role)) return []
  await lockDefaultChannels(tx, realmId)
  return listDefaultChannelIds(tx, realmId)
}

/** Whether the roles see different channels without a permission: guests see fewer public ones, administrators all private ones. */
function changesVisibilityByKind({ role, publishedRole }: PublishedMembership): boolean {
  return [true, false].some((invite_only) => {
    const kind = { invite_only, is_web_public: false }
    return canSeeUnsubscribed(role, kind) !== canSeeUnsubscribed(publishedRole, kind)
  })
}
