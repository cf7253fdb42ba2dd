import type { Tx } from '@tms/service-kit'
import type { Channel } from '../kernel/channels/channel.queries.ts'
import { pickColors } from './color.rules.ts'
import { insertSubscriptions, listExisting, listUsedColors, type NewSubscription } from './joining.queries.ts'

/**
 * Subscribes each user to each channel. The channels must be locked. `colors` are the requested colours by channel
 * ID; other new subscriptions get colours that their users don't use yet. Returns the subscriptions that did not
 * exist before.
 */
export async function addSubscribers(
  tx: Tx,
  channels: readonly Channel[],
  userIds: readonly number[],
  colors: ReadonlyMap<number, string> = new Map(),
): Promise<NewSubscription[]> {
  const channelIds = channels.map(({ id }) => id)
  const existing = await listExisting(tx, channelIds, userIds)
  const active = new Map(channelIds.map((id): [number, Set<number>] => [id, new Set()]))
  for (const { channelId, userId, isActive } of existing) if (isActive) active.get(channelId)?.add(userId)

  const wantedOf = (userId: number) => channelIds.filter((id) => !active.get(id)?.has(userId))
  const joining = userIds.filter((userId) => wantedOf(userId).length > 0)
  if (joining.length === 0) return []

  const used = await listUsedColors(tx, joining)
  const pairs = joining.flatMap((userId) => {
    const wanted = wantedOf(userId)
    const picked = pickColors(used.get(userId) ?? new Set(), wanted.length)
    return wanted.map((channelId, index) => ({
      channelId,
      userId,
      color: colors.get(channelId) ?? picked[index] ?? '',
    }))
  })
  return insertSubscriptions(tx, pairs)
}
