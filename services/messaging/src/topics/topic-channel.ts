import { badRequest } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import { type Channel, findChannelById, findChannelByName } from '../channels/channel.queries.ts'
import { canAccessChannel, canSeeChannel } from '../channels/channel.rules.ts'
import { findMembership } from '../channels/find-visible.ts'
import { findAnyChannel, type TopicChannel } from './user-topic.queries.ts'

/** The channel that a client named by ID or by name. */
export type ChannelReference = { readonly id: number } | { readonly name: string }

/**
 * The channel in whose topic a client changes something for itself. Taking away what was set needs no access any
 * more, to who was once subscribed or knows the ID not even sight; setting something needs access, though no subscription. Throws BAD_REQUEST.
 */
export async function findTopicChannel(
  db: Queryable,
  caller: Caller,
  reference: ChannelReference,
  isRemoval: boolean,
): Promise<TopicChannel> {
  if (isRemoval && 'id' in reference) {
    const known = await findAnyChannel(db, caller.realmId, reference.id)
    if (!known) throw noSuchChannel(reference)
    return known
  }
  const channel = await findChannel(db, caller, reference)
  if (!channel) throw noSuchChannel(reference)
  const membership = await findMembership(db, caller, channel.id)
  const isAllowed = isRemoval
    ? membership !== null || canSeeChannel(caller, channel, null)
    : canAccessChannel(caller, channel, membership)
  if (isAllowed) return channel
  throw noSuchChannel(reference)
}

function findChannel(
  db: Queryable,
  { realmId }: Caller,
  reference: ChannelReference,
): Promise<Channel | null> {
  return 'id' in reference
    ? findChannelById(db, realmId, reference.id)
    : findChannelByName(db, realmId, reference.name.trim())
}

function noSuchChannel(reference: ChannelReference): Error {
  return badRequest('id' in reference ? 'Invalid channel ID' : `Invalid channel name '${reference.name}'`)
}
