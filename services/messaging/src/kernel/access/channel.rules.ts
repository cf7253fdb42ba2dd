import { canSeeUnsubscribed, Role } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Channel } from '../channels/channel.queries.ts'

/** Membership of a user in a channel; null if the user never subscribed. */
export type Membership = { readonly isActive: boolean } | null

type Viewer = Pick<Caller, 'role'>
type Openness = Pick<Channel, 'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers'>

/** Whether a user may access the content of a channel. */
export function canAccessChannel(caller: Viewer, channel: Openness, membership: Membership): boolean {
  if (channel.isWebPublic || membership?.isActive) return true
  return !channel.inviteOnly && caller.role <= Role.member
}

/** Whether a user may read the whole history of a channel, rather than only received messages. */
export function canReadHistory(caller: Viewer, channel: Openness, membership: Membership): boolean {
  return channel.historyPublicToSubscribers && canAccessChannel(caller, channel, membership)
}

/** Whether a user may see a channel, its settings and its subscribers. Administrators see all channels. */
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
