import { badRequest } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import { canSeeArchivedChannel, canSeeChannel } from '../access/channel.rules.ts'
import { type ChannelMembership, listMemberships } from '../subscriptions/subscription.queries.ts'
import { type Channel, findArchivedOrLive, findChannelById, findChannelByName } from './channel.queries.ts'

/** Finds what connects the caller with a channel. */
export async function findMembership(
  db: Queryable,
  caller: Pick<Caller, 'userId'>,
  channelId: number,
): Promise<ChannelMembership | null> {
  return (await listMemberships(db, caller.userId, [channelId])).get(channelId) ?? null
}

/**
 * Returns the channel with this ID and the caller's membership. Throws BAD_REQUEST if the caller may not see it, or if it is
 * archived unless that is asked for.
 */
export async function getVisibleChannel(
  db: Queryable,
  caller: Caller,
  channelId: number,
  { withArchived = false }: { readonly withArchived?: boolean } = {},
): Promise<{ channel: Channel; membership: ChannelMembership | null }> {
  const [find, canSee] = withArchived
    ? [findArchivedOrLive, canSeeArchivedChannel]
    : [findChannelById, canSeeChannel]
  const channel = await find(db, caller.realmId, channelId)
  const membership = channel ? await findMembership(db, caller, channelId) : null
  if (!channel || !canSee(caller, channel, membership)) throw badRequest('Invalid channel ID')
  return { channel, membership }
}

/** Returns the channel with this name. Throws BAD_REQUEST if the caller may not see it. */
export async function getVisibleChannelByName(db: Queryable, caller: Caller, name: string): Promise<Channel> {
  const channel = await findChannelByName(db, caller.realmId, name.trim())
  if (!channel || !canSeeChannel(caller, channel, await findMembership(db, caller, channel.id))) {
    throw badRequest(`Invalid channel name '${name}'`)
  }
  return channel
}
