import { badRequest } from '@tms/contracts'
import type { Caller, Queryable } from '@tms/service-kit'
import { canAccessChannel, readingMembership } from '../access/channel.rules.ts'
import { type ChannelTarget, findChannelTarget } from './posting-target.queries.ts'

/** A channel that the caller may access, and whether they are subscribed to it. Throws BAD_REQUEST. */
export async function getAccessibleChannel(
  db: Queryable,
  caller: Caller,
  channelId: number,
): Promise<ChannelTarget> {
  const target = await findChannelTarget(db, caller, { id: channelId })
  if (!target || !canAccessChannel(caller, target.channel, readingMembership(target))) {
    throw badRequest('Invalid channel ID')
  }
  return target
}
