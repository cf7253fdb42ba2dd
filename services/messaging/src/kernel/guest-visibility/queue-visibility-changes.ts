import type { GuestVisibilityChange } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import type { ChannelMember } from '../subscriptions/subscription.queries.ts'
import {
  isRestrictionPublished,
  listGuestsAmong,
  listLosses,
  listMembers,
  lockGuestVisibility,
  queueChange,
} from './guest-visibility.queries.ts'
import { listVisibleUsers } from './sharing.queries.ts'
import { gainsOf, lossesOf } from './visibility-changes.rules.ts'

/**
 * What joining channels, leaving them and starting conversations changes for guests, if the organization restricts
 * guest visibility. Call each function last in its transaction, under the locks of the channels. It returns the number
 * of the last queued change; null for none.
 */

/** After users were subscribed. */
export async function queueVisibilityAfterJoin(
  tx: Tx,
  joined: readonly ChannelMember[],
  cause: Cause,
): Promise<number | null> {
  if (joined.length === 0 || !(await isRestrictionPublished(tx, cause.realmId))) return null
  const byChannel = Map.groupBy(joined, ({ channelId }) => channelId)
  const members = await listMembers(tx, [...byChannel.keys()])
  const changes: GuestVisibilityChange[] = []
  for (const [channelId, pairs] of byChannel) {
    const { guestIds, userIds } = members.get(channelId) ?? { guestIds: [], userIds: [] }
    const isNew = new Set(pairs.map(({ userId }) => userId))
    const newGuestIds = guestIds.filter((id) => isNew.has(id))
    const otherGuestIds = guestIds.filter((id) => !isNew.has(id))
    changes.push(...gainsOf(newGuestIds, userIds), ...gainsOf(otherGuestIds, [...isNew]))
  }
  return queueAll(tx, changes, cause)
}

/** After users were unsubscribed, or their channel was archived. */
export async function queueVisibilityAfterLeave(
  tx: Tx,
  left: readonly ChannelMember[],
  cause: Cause,
): Promise<number | null> {
  if (left.length === 0 || !(await isRestrictionPublished(tx, cause.realmId))) return null
  const members = await listMembers(tx, [...new Set(left.map(({ channelId }) => channelId))])
  const leavingGuestIds = await listGuestsAmong(tx, [...new Set(left.map(({ userId }) => userId))])
  const hasGuests = [...members.values()].some(({ guestIds }) => guestIds.length > 0)
  if (!hasGuests && leavingGuestIds.length === 0) return null
  // Count what is still shared only once no other transaction can remove it unseen.
  await lockGuestVisibility(tx, cause.realmId)
  const losses = [
    ...(hasGuests ? await listLosses(tx, left) : []),
    ...(await lossesOfLeaving(tx, leavingGuestIds, left, members)),
  ]
  return queueAll(
    tx,
    losses.flatMap(({ guestId, userIds }) => lossesOf(guestId, userIds)),
    cause,
  )
}

/** Losses of guests who left themselves: all users of the channel without another shared channel or conversation. */
async function lossesOfLeaving(
  tx: Tx,
  guestIds: readonly number[],
  left: readonly ChannelMember[],
  members: Awaited<ReturnType<typeof listMembers>>,
): Promise<{ guestId: number; userIds: number[] }[]> {
  if (guestIds.length === 0) return []
  const leavers = Map.groupBy(left, ({ channelId }) => channelId)
  const peersIn = (channelId: number): number[] => [
    ...(members.get(channelId)?.userIds ?? []),
    ...(leavers.get(channelId) ?? []).map(({ userId }) => userId),
  ]
  const visible = await listVisibleUsers(tx, guestIds)
  return guestIds.map((guestId) => {
    const shared = new Set(visible.get(guestId))
    const channels = left.filter(({ userId }) => userId === guestId)
    const peers = new Set(channels.flatMap(({ channelId }) => peersIn(channelId)))
    return { guestId, userIds: [...peers].filter((id) => id !== guestId && !shared.has(id)) }
  })
}

/** After the first message of a conversation. Needs `shareChannelVisibilityLock`. */
export async function queueVisibilityAfterFirstMessage(
  tx: Tx,
  userIds: readonly number[],
  cause: Cause,
): Promise<number | null> {
  if (!(await isRestrictionPublished(tx, cause.realmId))) return null
  return queueAll(tx, gainsOf(await listGuestsAmong(tx, userIds), userIds), cause)
}

/** Members of a channel before it is archived, for `queueVisibilityAfterLeave`; none if visibility isn't restricted. */
export async function listMembersBeforeArchival(
  tx: Tx,
  realmId: number,
  channelId: number,
): Promise<ChannelMember[]> {
  if (!(await isRestrictionPublished(tx, realmId))) return []
  const { userIds } = (await listMembers(tx, [channelId])).get(channelId) ?? { userIds: [] }
  return userIds.map((userId) => ({ channelId, userId }))
}

async function queueAll(
  tx: Tx,
  changes: readonly GuestVisibilityChange[],
  cause: Cause,
): Promise<number | null> {
  if (changes.length === 0) return null
  await lockGuestVisibility(tx, cause.realmId)
  let last: number | null = null
  for (const change of changes) last = await queueChange(tx, change, cause)
  return last
}
