import { isInSystemGroup, type PolicySubject, Role } from '@tms/contracts'
import { canSeeChannel, type Membership } from '../kernel/access/channel.rules.ts'
import type { Channel } from '../kernel/channels/channel.queries.ts'

/**
 * Whether a user may unsubscribe others from a channel: administrators from any channel, members of the channel's
 * group if they see the channel.
 */
export function mayRemoveOthers(
  policySubject: PolicySubject,
  channel: Channel,
  membership: Membership,
): boolean {
  if (policySubject.role <= Role.administrator) return true
  return (
    canSeeChannel(policySubject, channel, membership) &&
    isInSystemGroup(channel.canRemoveSubscribersGroup, policySubject)
  )
}
