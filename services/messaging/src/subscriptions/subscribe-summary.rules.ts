import type { Channel } from '../kernel/channels/channel.queries.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import type { ChannelMember } from '../kernel/subscriptions/subscription.queries.ts'

type NamesByUser = Record<string, string[]>

/** Builds the response of subscribe: channel names by user ID, for new and existing subscriptions. */
export function summarize(
  channels: readonly Pick<Channel, 'id' | 'name'>[],
  users: readonly Pick<KnownUser, 'user_id'>[],
  added: readonly ChannelMember[],
): { subscribed: NamesByUser; already_subscribed: NamesByUser } {
  const addedTo = new Map(channels.map(({ id }): [number, Set<number>] => [id, new Set()]))
  for (const { channelId, userId } of added) addedTo.get(channelId)?.add(userId)

  const subscribed: NamesByUser = {}
  const already_subscribed: NamesByUser = {}
  for (const { user_id } of users) {
    const isNew = ({ id }: Pick<Channel, 'id'>) => addedTo.get(id)?.has(user_id) ?? false
    const names = channels.filter(isNew).map(({ name }) => name)
    const known = channels.filter((channel) => !isNew(channel)).map(({ name }) => name)
    if (names.length > 0) subscribed[user_id] = names
    if (known.length > 0) already_subscribed[user_id] = known
  }
  return { subscribed, already_subscribed }
}
