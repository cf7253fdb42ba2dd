import { domainEvents } from '@tms/contracts'
import type { Cause, Publish, Tx } from '@tms/service-kit'
import { publishReadOnLeave } from '../flags/publish-read-on-leave.queries.ts'
import { listChannelRecords } from '../kernel/channels/channel-record.queries.ts'
import { type Effects, noteGuestVisibility } from '../kernel/effects/effects.ts'
import { listViewers } from '../kernel/grantees/grantees.queries.ts'
import { queueVisibilityAfterLeave } from '../kernel/guest-visibility/queue-visibility-changes.ts'
import { listPublishedInactive } from '../kernel/projections/published-membership.queries.ts'
import { endSubscriptions, type FormerMember } from './leaving.queries.ts'

/**
 * Unsubscribes users from channels, and publishes it, last in the transaction. A private channel without subscribers stays: those
 * who may subscribe to it by a permission still do. The channels must be locked. Returns the former subscribers by channel. `effects`, if given,
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
  const viewers = await listViewers(tx, [...leavers.keys()])
  const isInactive = new Set(await listPublishedInactive(tx, userIds))
  for (const channel of records) {
    const left = (leavers.get(channel.stream_id) ?? []).map(({ userId }) => userId)
    const shown = left.filter((userId) => !isInactive.has(userId)).sort((a, b) => a - b)
    if (shown.length === 0) continue
    const payload = { channel, user_ids: shown, archived: null, viewers: viewers.get(channel.stream_id) }
    await publish(tx, domainEvents.messaging.subscribersRemoved, payload, cause)
  }
  // An archived channel connects nobody.
  const parted = ended.filter(({ wasInArchive }) => !wasInArchive)
  const number = await queueVisibilityAfterLeave(tx, parted, cause)
  if (effects) noteGuestVisibility(effects, number)
  return leavers
}
