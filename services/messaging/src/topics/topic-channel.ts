import { badRequest } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import { canAccessChannel, canSeeChannel } from '../kernel/access/channel.rules.ts'
import { type Channel, findChannelById, findChannelByName } from '../kernel/channels/channel.queries.ts'
import { findMembership } from '../kernel/channels/visible-channel.ts'
import type { ChannelReference } from '../kernel/messages/message-target.rules.ts'
import { findAnyChannel, type TopicChannel } from './user-topic.queries.ts'

/**
 * Finds the channel for a change of a topic policy. Setting a policy requires access, but no subscription.
 * Removing one doesn't: a former subscriber or a caller who knows the ID needn't even see the channel. Throws
 * BAD_REQUEST.
 */
export async function getTopicChannel(
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
    ? membership?.wasSubscribed || canSeeChannel(caller, channel, membership)
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
