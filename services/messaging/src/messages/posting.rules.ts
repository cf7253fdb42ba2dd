import { type AppError, badRequest, type PolicySubject } from '@tms/contracts'
import { canAccessChannel, readingMembership } from '../kernel/access/channel.rules.ts'
import type { Channel } from '../kernel/channels/channel.queries.ts'
import type { ChannelReference } from '../kernel/messages/message-target.rules.ts'

/** A user who wants to post in a channel, or the owner of a bot that does. */
export interface Poster {
  readonly policySubject: PolicySubject
  readonly isSubscribed: boolean
  /** Whether a permission lets the user read the channel unsubscribed. */
  readonly isReader: boolean
  /** Whether the user has `can_send_message_group` of the channel. */
  readonly isPermitted: boolean
}

/** What forbids a user to post in a channel: `can_send_message_group`, or that the user may not access it. */
export type PostingObstacle = 'permission' | 'access'

type PostingChannel = Pick<Channel, 'inviteOnly' | 'isWebPublic' | 'historyPublicToSubscribers'>

/**
 * The rule who may post in a channel: a user with its `can_send_message_group` who may access it. A bot may also use
 * the permission and the subscription of its `owner`. Where
 * the history is protected, only subscribers post. Returns null if the user may post.
 */
export function findPostingObstacle(
  channel: PostingChannel,
  poster: Poster,
  owner: Poster | null = null,
): PostingObstacle | null {
  if (!poster.isPermitted && !owner?.isPermitted) return 'permission'
  const membership = readingMembership({
    isSubscribed: poster.isSubscribed || owner?.isSubscribed === true,
    isReader: channel.historyPublicToSubscribers && (poster.isReader || owner?.isReader === true),
  })
  return canAccessChannel(poster.policySubject, channel, membership) ? null : 'access'
}

/**
 * The error for a user who may not post. It names the channel as the client did, so that trying IDs doesn't reveal
 * names of private channels.
 */
export function postingError(obstacle: PostingObstacle, reference: ChannelReference): AppError {
  if (obstacle === 'permission') return badRequest('You do not have permission to post in this channel.')
  const named = 'id' in reference ? `with ID '${reference.id}'` : `'${reference.name}'`
  return badRequest(`Not authorized to send to channel ${named}`)
}
