import { type ChannelRecord, canSeeUnsubscribed, domainEvents, Role } from '@tms/contracts'
import type { Cause, Publish, Tx } from '@tms/service-kit'
import { listDefaultChannelRecords } from '../channels/channel-record.queries.ts'
import { lockDefaultChannels } from '../channels/channel-update.queries.ts'
import { listSubscribedChannels, listUnsubscribedSight } from '../channels/visible-channel.queries.ts'
import { settleNewGuest } from '../guest-visibility/settle-policy.ts'
import { listSubscriberIds } from '../subscriptions/subscription.queries.ts'
import { retellingTopics } from '../topics/retell-topics.ts'
import { type Gain, partsOf } from './sight-parts.rules.ts'
import { lockPendingChange, lockSight, type Standings, saveTold } from './standing.queries.ts'

const { channelVisibilityChanged, subscriberActivityChanged } = domainEvents.messaging

/**
 * Tells what follows from a user's new role, or from their being deactivated or back, if that is still to be told:
 * which channels they see, and who is among the subscribers. `settleUser` calls it.
 */
export async function publishMembershipChanges(
  tx: Tx,
  publish: Publish<'messaging'>,
  userId: number,
  requestId: string | null,
): Promise<void> {
  const standing = await lockPendingChange(tx, userId)
  if (!standing) return
  const cause = { realmId: standing.realmId, requestId }
  if (standing.isActive !== standing.publishedActive || changesSight(standing)) {
    await lockSight(tx, standing.realmId)
  }
  const scopes = changesSight(standing) ? [{ userIds: [userId] }] : []
  await retellingTopics(tx, { publish, cause, scopes }, async () => {
    await saveTold(tx, standing)
    if (standing.isActive !== standing.publishedActive) await tellActivity(tx, publish, standing, cause)
    if (standing.role === standing.publishedRole) return
    await tellSight(tx, publish, standing, cause)
    await settleNewGuest(tx, userId, standing.role, cause)
  })
}

async function tellActivity(
  tx: Tx,
  publish: Publish<'messaging'>,
  { userId, isActive }: Standings,
  cause: Cause,
): Promise<void> {
  for (const { record: channel } of await listSubscribedChannels(tx, userId)) {
    await publish(tx, subscriberActivityChanged, { channel, user_id: userId, is_active: isActive }, cause)
  }
}

async function tellSight(
  tx: Tx,
  publish: Publish<'messaging'>,
  standing: Standings,
  cause: Cause,
): Promise<void> {
  const { userId, realmId, role, publishedRole } = standing
  const channels = changesSight(standing) ? await listUnsubscribedSight(tx, realmId) : []
  const sees = (by: number) => (channel: ChannelRecord) => canSeeUnsubscribed(by, channel)
  const gained = channels.filter((channel) => sees(role)(channel) && !sees(publishedRole)(channel))
  const lost = channels.filter((channel) => sees(publishedRole)(channel) && !sees(role)(channel))
  const default_channels =
    isGuest(role) === isGuest(publishedRole) ? null : await listDefaults(tx, realmId, role)

  const subscribers = await listSubscriberIds(
    tx,
    gained.map(({ stream_id }) => stream_id),
  )
  const gains = gained.map(
    (channel): Gain => ({ channel, subscribers: subscribers.get(channel.stream_id) ?? [] }),
  )
  for (const [at, part] of partsOf(gains, lost).entries()) {
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
  if (isGuest(role)) return []
  await lockDefaultChannels(tx, realmId)
  const records = await listDefaultChannelRecords(tx, realmId)
  return records.map(({ stream_weekly_traffic: _traffic, ...record }) => record)
}

const isGuest = (role: number): boolean => role > Role.member

/** Whether the roles see different channels: guests fewer public ones, administrators all private ones. */
function changesSight({ role, publishedRole }: Standings): boolean {
  return [true, false].some((invite_only) => {
    const kind = { invite_only, is_web_public: false }
    return canSeeUnsubscribed(role, kind) !== canSeeUnsubscribed(publishedRole, kind)
  })
}
