import { isInSystemGroup, type PolicySubject, Role } from '@tms/contracts'
import type { Channel } from '../channels/channel.queries.ts'
import { canSeeChannel, type Membership } from '../channels/channel.rules.ts'

/**
 * Whether someone may unsubscribe others from a channel: administrators from any,
 * else members of the channel's group who see the channel.
 */
export function mayRemoveOthers(standing: PolicySubject, channel: Channel, membership: Membership): boolean {
  if (standing.role <= Role.administrator) return true
  return (
    canSeeChannel(standing, channel, membership) &&
    isInSystemGroup(channel.canRemoveSubscribersGroup, standing)
  )
}
