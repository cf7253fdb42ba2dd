import { badRequest } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import { type Channel, findChannelById } from '../kernel/channels/channel.queries.ts'
import { lockForRemoval } from '../kernel/locks/removal-locks.queries.ts'

/**
 * Locks a channel for an administrator, who may see every channel. Under the lock neither its settings nor its
 * subscribers change, and nobody adds flags to its messages. Throws BAD_REQUEST if
 * it doesn't exist or is archived.
 */
export async function lockChannel(tx: Tx, caller: Caller, channelId: number): Promise<Channel> {
  const found = await findChannelById(tx, caller.realmId, channelId)
  if (found) await lockForRemoval(tx, [found.recipientId])
  // Read again, because it may have been archived or changed before the lock was acquired.
  const channel = found && (await findChannelById(tx, caller.realmId, channelId))
  if (!channel) throw badRequest('Invalid channel ID')
  return channel
}
