import { type AppError, badRequest, type PolicySubject, Role } from '@tms/contracts'
import { canAccessChannel, PostPolicy } from '../kernel/access/channel.rules.ts'
import type { Channel } from '../kernel/channels/channel.queries.ts'
import type { ChannelReference } from '../kernel/messages/message-target.rules.ts'

/** A user who wants to post in a channel, or the owner of a bot that does. */
export interface Poster {
  readonly policySubject: PolicySubject
  readonly isSubscribed: boolean
}

/** What forbids a user to post in a channel: its post policy, or that the user may not access it. */
export type PostingObstacle = 'post policy' | 'access'

type PostingChannel = Pick<
  Channel,
  'streamPostPolicy' | 'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers'
>

/**
 * The rule who may post in a channel: a user that its post policy allows and that may access it. A bot may also use
 * the role of its `owner` for the policy, and the subscription of its owner for the access. Returns null if the user
 * may post.
 */
export function findPostingObstacle(
  channel: PostingChannel,
  poster: Poster,
  owner: Poster | null = null,
): PostingObstacle | null {
  const isAllowed = isInPostPolicy(channel, poster) || (owner !== null && isInPostPolicy(channel, owner))
  if (!isAllowed) return 'post policy'
  const isActive = poster.isSubscribed || owner?.isSubscribed === true
  return canAccessChannel(poster.policySubject, channel, { isActive }) ? null : 'access'
}

function isInPostPolicy(channel: PostingChannel, { policySubject }: Poster): boolean {
  switch (channel.streamPostPolicy) {
    case PostPolicy.everyone:
      return true
    case PostPolicy.fullMembers:
      return policySubject.isFullMember
    case PostPolicy.moderators:
      return policySubject.role <= Role.moderator
    default:
      return policySubject.role <= Role.administrator
  }
}

/**
 * The error for a user who may not post. It names the channel as the client did, so that trying IDs doesn't reveal
 * names of private channels.
 */
export function postingError(obstacle: PostingObstacle, reference: ChannelReference): AppError {
  if (obstacle === 'post policy') return badRequest('You do not have permission to post in this channel.')
  const named = 'id' in reference ? `with ID '${reference.id}'` : `'${reference.name}'`
  return badRequest(`Not authorized to send to channel ${named}`)
}
