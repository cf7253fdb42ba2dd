import type { Channel } from '../kernel/channels/channel.queries.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import type { ChannelMember } from '../kernel/subscriptions/subscription.queries.ts'

type NamesByEmail = Record<string, string[]>

/** Builds the response of subscribe: channel names by e-mail, for new and existing subscriptions. */
export function summarize(
  channels: readonly Pick<Channel, 'id' | 'name'>[],
  users: readonly Pick<KnownUser, 'user_id' | 'email'>[],
  added: readonly ChannelMember[],
): { subscribed: NamesByEmail; already_subscribed: NamesByEmail } {
  const addedTo = new Map(channels.map(({ id }): [number, Set<number>] => [id, new Set()]))
  for (const { channelId, userId } of added) addedTo.get(channelId)?.add(userId)

  const subscribed: [string, string[]][] = []
  const alreadySubscribed: [string, string[]][] = []
  for (const { user_id, email } of users) {
    const isNew = ({ id }: Pick<Channel, 'id'>) => addedTo.get(id)?.has(user_id) ?? false
    const names = channels.filter(isNew).map(({ name }) => name)
    const known = channels.filter((channel) => !isNew(channel)).map(({ name }) => name)
    if (names.length > 0) subscribed.push([email, names])
    if (known.length > 0) alreadySubscribed.push([email, known])
  }
  return {
    subscribed: Object.fromEntries(subscribed),
    already_subscribed: Object.fromEntries(alreadySubscribed),
  }
}
