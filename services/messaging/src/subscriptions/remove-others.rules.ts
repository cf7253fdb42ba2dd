import { Role } from '@tms/contracts'
import { canSeeArchivedChannel, type Membership } from '../kernel/access/channel.rules.ts'
import type { Channel } from '../kernel/channels/channel.queries.ts'

/**
 * Whether a user may unsubscribe others from a channel: administrators from any channel, others with the channel's
 * `can_remove_subscribers_group` or `can_administer_channel_group` if they see the channel.
 */
export function mayRemoveOthers(
  user: { readonly role: number; readonly isPermitted: boolean },
  channel: Pick<Channel, 'inviteOnly' | 'isWebPublic'>,
  membership: Membership,
): boolean {
  return (
    user.role <= Role.administrator || (user.isPermitted && canSeeArchivedChannel(user, channel, membership))
  )
}
