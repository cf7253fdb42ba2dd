import { domainEvents } from '@tms/contracts'
import type { Cause, Publish, Tx } from '@tms/service-kit'
import { archiveEmptyChannels, endAllSubscriptions } from '../channels/archiving.queries.ts'
import { publishReadOnLeave } from '../flags/publish-read-on-leave.queries.ts'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { type Effects, noteGuestVisibility } from '../kernel/effects/effects.ts'
import { listViewers } from '../kernel/grantees/grantees.queries.ts'
import { queueVisibilityAfterLeave } from '../kernel/guest-visibility/queue-visibility-changes.ts'
import { listPublishedInactive } from '../kernel/projections/published-membership.queries.ts'
import { endSubscriptions, type FormerMember } from './leaving.queries.ts'

/**
 * Unsubscribes users from channels, archives private channels that become empty, and publishes both, last in the
 * transaction. The channels must be locked. Returns the former subscribers by channel. `effects`, if given,
 * collects changes for other services.
 */
export async function leaveChannels(
  tx: Tx,
  { channelIds, userIds }: { channelIds: readonly number[]; userIds: readonly number[] },
  { publish, cause, effects }: { publish: Publish<'messaging'>; cause: Cause; effects?: Effects },
): Promise<Map<number, FormerMember[]>> {
  await publishReadOnLeave(tx, channelIds, userIds, cause)
  const ended = await endSubscriptions(tx, channelIds, userIds)
  const leavers = Map.groupBy(ended, ({ channelId }) => channelId)
  const records = await listChannelRecords(tx, [...leavers.keys()])
  const archived = await archiveEmptyChannels(tx, channelIds)
  // The rest are deactivated users, and bots that were mentioned without being in the channel.
  await publishReadOnLeave(tx, [...archived], null, cause)
  for (const channelId of archived) await endAllSubscriptions(tx, channelId)
  const afterwards = archived.size > 0 ? await listChannelRecords(tx, [...archived]) : []
  const viewers = await listViewers(tx, [...leavers.keys()])
  const isInactive = new Set(await listPublishedInactive(tx, userIds))
  for (const channel of records) {
    const left = (leavers.get(channel.stream_id) ?? []).map(({ userId }) => userId)
    const shown = left.filter((userId) => !isInactive.has(userId)).sort((a, b) => a - b)
    const after = afterwards.find(({ stream_id }) => stream_id === channel.stream_id) ?? null
    if (shown.length === 0 && !after) continue
    const payload = {
      channel,
      user_ids: shown,
      archived: after,
      viewers: viewers.get(channel.stream_id),
    }
    await publish(tx, domainEvents.messaging.subscribersRemoved, payload, cause)
  }
  // An archived channel connects nobody.
  const parted = ended.filter(({ wasInArchive }) => !wasInArchive)
  const number = await queueVisibilityAfterLeave(tx, parted, cause)
  if (effects) {
    for (const channelId of archived) effects.archivedChannelIds.add(channelId)
    noteGuestVisibility(effects, number)
  }
  return leavers
}
