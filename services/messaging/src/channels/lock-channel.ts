import { badRequest } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import { lockForRemoval } from '../messages/place-locks.queries.ts'
import { type Channel, findChannelById } from './channel.queries.ts'

/**
 * Locks a channel for an administrator, who may know of every one; under the lock neither its settings nor its
 * subscribers change, and nobody is being told of its messages. Take it before any other lock. Throws BAD_REQUEST for one
 * that isn't there, or no longer.
 */
export async function lockChannel(tx: Tx, caller: Caller, channelId: number): Promise<Channel> {
  const found = await findChannelById(tx, caller.realmId, channelId)
  if (found) await lockForRemoval(tx, [found.recipientId])
  // Read again: it may have been archived or changed while we waited.
  const channel = found && (await findChannelById(tx, caller.realmId, channelId))
  if (!channel) throw badRequest('Invalid channel ID')
  return channel
}
