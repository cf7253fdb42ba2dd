import type { GuestVisibilityChange } from '@tms/contracts'
import type { Cause, Tx } from '@tms/service-kit'
import { groupByChannel } from '../subscriptions/group-by-channel.ts'
import type { Pair } from '../subscriptions/subscription.queries.ts'
import {
  isGuestVisibilityRestricted,
  listGuestsAmong,
  listLosses,
  listMembers,
  lockGuestVisibility,
  queueChange,
} from './guest-sight.queries.ts'
import { gainsOf, lossesOf } from './parts.rules.ts'
import { listSharers } from './sharing.queries.ts'

/**
 * What users' having joined channels, left them, or begun a conversation means for whom guests see, in an organization
 * that limits it. Each of these is last in the transaction of what it is about, under the locks of the channels, and
 * returns the number of the last change that it queued; null if it queued none.
 */

/** After users were subscribed. */
export async function settleJoined(tx: Tx, joined: readonly Pair[], cause: Cause): Promise<number | null> {
  if (joined.length === 0 || !(await isGuestVisibilityRestricted(tx, cause.realmId))) return null
  const byChannel = groupByChannel(joined)
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
export async function settleLeft(tx: Tx, left: readonly Pair[], cause: Cause): Promise<number | null> {
  if (left.length === 0 || !(await isGuestVisibilityRestricted(tx, cause.realmId))) return null
  const members = await listMembers(tx, [...new Set(left.map(({ channelId }) => channelId))])
  const leavingGuestIds = await listGuestsAmong(tx, [...new Set(left.map(({ userId }) => userId))])
  const hasGuests = [...members.values()].some(({ guestIds }) => guestIds.length > 0)
  if (!hasGuests && leavingGuestIds.length === 0) return null
  // What is still shared counts only once nobody else can take it away unseen.
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

/** What guests lose who left themselves: everyone in the channel with whom they share nothing else. */
async function lossesOfLeaving(
  tx: Tx,
  guestIds: readonly number[],
  left: readonly Pair[],
  members: Awaited<ReturnType<typeof listMembers>>,
): Promise<{ guestId: number; userIds: number[] }[]> {
  if (guestIds.length === 0) return []
  const leavers = groupByChannel(left)
  const peersIn = (channelId: number): number[] => [
    ...(members.get(channelId)?.userIds ?? []),
    ...(leavers.get(channelId) ?? []).map(({ userId }) => userId),
  ]
  const sharers = await listSharers(tx, guestIds)
  return guestIds.map((guestId) => {
    const shared = new Set(sharers.get(guestId))
    const channels = left.filter(({ userId }) => userId === guestId)
    const peers = new Set(channels.flatMap(({ channelId }) => peersIn(channelId)))
    return { guestId, userIds: [...peers].filter((id) => id !== guestId && !shared.has(id)) }
  })
}

/** After the first message of a conversation; needs `shareSight`. */
export async function settleConversation(
  tx: Tx,
  userIds: readonly number[],
  cause: Cause,
): Promise<number | null> {
  if (!(await isGuestVisibilityRestricted(tx, cause.realmId))) return null
  return queueAll(tx, gainsOf(await listGuestsAmong(tx, userIds), userIds), cause)
}

/** Everyone in a channel that is about to be archived, if `settleLeft` will have to know. */
export async function listLeaving(tx: Tx, realmId: number, channelId: number): Promise<Pair[]> {
  if (!(await isGuestVisibilityRestricted(tx, realmId))) return []
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
