import { domainEvents } from '@tms/contracts'
import type { Cause, Publish, Tx } from '@tms/service-kit'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { changedViewers } from '../kernel/grantees/grantees.rules.ts'
import {
  findGranteesChange,
  type GranteesChange,
  type GrantingChannel,
  saveChange,
} from '../kernel/grantees/refresh-grantees.ts'
import { takeChannelGrantsLock } from '../kernel/locks/channel-grants-lock.queries.ts'
import { takeChannelVisibilityLock } from '../kernel/locks/channel-visibility-lock.queries.ts'
import { lockForRemoval } from '../kernel/locks/removal-locks.queries.ts'
import { listSubscriberIds } from '../kernel/subscriptions/subscription.queries.ts'
import { withTopicRefresh } from '../topics/refresh-topics.ts'
import { listGrantingChannels, lockPendingGroup, saveAccessPublished } from './group-access.queries.ts'

/**
 * Publishes what follows from other members of a group, if that is pending: who sees and reads the private channels whose
 * permissions name the group, or one that contains it.
 */
export async function publishGroupAccess(
  tx: Tx,
  publish: Publish<'messaging'>,
  groupId: number,
  requestId: string | null,
): Promise<void> {
  const realmId = await lockPendingGroup(tx, groupId)
  if (realmId === null) return
  // Nobody gives the group a permission meanwhile without knowing its members.
  await takeChannelGrantsLock(tx, realmId)
  await saveAccessPublished(tx, groupId)
  const channels = await listGrantingChannels(tx, realmId, groupId)
  if (channels.length === 0) return
  await takeChannelVisibilityLock(tx, realmId)
  await publishGrantees(tx, publish, channels, { realmId, requestId })
}

/** Stores and publishes who sees these channels by the groups of now. Needs the lock of channel visibility. */
export async function publishGrantees(
  tx: Tx,
  publish: Publish<'messaging'>,
  channels: readonly (GrantingChannel & { readonly recipientId: number })[],
  cause: Cause,
): Promise<void> {
  await lockForRemoval(
    tx,
    channels.map(({ recipientId }) => recipientId),
  )
  const changes: GranteesChange[] = []
  for (const channel of channels) {
    const change = await findGranteesChange(tx, channel)
    if (change) changes.push(change)
  }
  if (changes.length === 0) return
  const channelIds = changes.map(({ channelId }) => channelId)
  await withTopicRefresh(tx, { publish, cause, scopes: [{ channelIds }] }, async () => {
    for (const change of changes) await saveChange(tx, change)
    const records = new Map(
      (await listChannelRecords(tx, channelIds)).map((channel) => [channel.stream_id, channel]),
    )
    const subscribers = await listSubscriberIds(tx, channelIds)
    for (const { channelId, before, after } of changes) {
      const [channel, viewers] = [records.get(channelId), changedViewers(before, after)]
      if (!channel || !viewers) continue
      const payload = {
        before: channel,
        channel,
        subscribers: viewers.viewers ? (subscribers.get(channelId) ?? []) : [],
        ...viewers,
      }
      await publish(tx, domainEvents.messaging.channelUpdated, payload, cause)
    }
  })
}
