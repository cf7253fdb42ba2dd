import { canSeeUnsubscribed, Role } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Channel } from './channel.queries.ts'

/** How a user stands to a channel; null for one who never subscribed. */
export type Membership = { readonly isActive: boolean } | null

type Viewer = Pick<Caller, 'role'>
type Openness = Pick<Channel, 'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers'>

/** Whether someone may use a channel's content at all. */
export function canAccessChannel(caller: Viewer, channel: Openness, membership: Membership): boolean {
  if (channel.isWebPublic || membership?.isActive) return true
  return !channel.inviteOnly && caller.role <= Role.member
}

/** Whether someone may read all of a channel's history, rather than only what they received. */
export function canReadHistory(caller: Viewer, channel: Openness, membership: Membership): boolean {
  return channel.historyPublicToSubscribers && canAccessChannel(caller, channel, membership)
}

/** Whether someone may know of a channel, its settings and its subscribers; administrators know of all. */
export function canSeeChannel(
  caller: Viewer,
  channel: Pick<Openness, 'inviteOnly' | 'isWebPublic'>,
  membership: Membership,
): boolean {
  if (membership?.isActive) return true
  return canSeeUnsubscribed(caller.role, {
    invite_only: channel.inviteOnly,
    is_web_public: channel.isWebPublic,
  })
}

/** Values of `stream_post_policy`. */
export const PostPolicy = { everyone: 1, administrators: 2, fullMembers: 3, moderators: 4 } as const

/** Whether the channel's post policy lets someone post; access is a separate question. */
export function canPost(
  caller: Viewer & { readonly isFullMember: boolean },
  channel: Pick<Channel, 'streamPostPolicy'>,
): boolean {
  switch (channel.streamPostPolicy) {
    case PostPolicy.everyone:
      return true
    case PostPolicy.fullMembers:
      return caller.isFullMember
    case PostPolicy.moderators:
      return caller.role <= Role.moderator
    default:
      return caller.role <= Role.administrator
  }
}
