import { AppError, badRequest, limits, type PolicySubject, Role, type UserProjection } from '@tms/contracts'
import { escapeHtml } from '@tms/service-kit'
import { canAccessChannel, canPost } from '../channels/channel.rules.ts'
import { type ChannelReference, tooManyRecipients } from './addressee.rules.ts'
import type { ChannelPlace } from './posting-place.queries.ts'

/** Programs by which people write: what they send, they have read. */
const READING_CLIENTS: ReadonlySet<string> = new Set([
  'website',
  'ios',
  'android',
  'snipe',
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
])

/** Whether a message counts as read by its sender: as the client says, else by what program it is. */
export function isReadBySender(said: boolean | undefined, client: string): boolean {
  const name = client.toLowerCase()
  return said ?? (READING_CLIENTS.has(name) || name.includes('desktop app'))
}

/**
 * Throws BAD_REQUEST for `queue_id` without `local_id` (API document, "Send a message"). `local_id` alone is accepted: there
 * is no queue to echo it to.
 */
export function checkEcho(queueId: string | undefined, localId: string | undefined): void {
  if (queueId !== undefined && localId === undefined) throw badRequest('queue_id requires local_id')
}

/** Whether someone may post in a channel by themselves. */
export function mayPost(standing: PolicySubject, { channel, isSubscribed }: ChannelPlace): boolean {
  return canPost(standing, channel) && canAccessChannel(standing, channel, { isActive: isSubscribed })
}

/**
 * Throws BAD_REQUEST for someone who may not post in a channel; a bot may with the standing of its `owner`, and may
 * access what its owner subscribes to. The refusal names it as the client did: the name of
 * a private channel is not for everyone who tries an ID.
 */
export function checkPosting(
  standing: PolicySubject,
  { channel, isSubscribed }: ChannelPlace,
  reference: ChannelReference,
  owner: { readonly standing: PolicySubject; readonly isSubscribed: boolean } | null = null,
): void {
  if (!canPost(standing, channel) && !(owner && canPost(owner.standing, channel))) {
    throw badRequest('You do not have permission to post in this channel.')
  }
  if (!canAccessChannel(standing, channel, { isActive: isSubscribed || owner?.isSubscribed === true })) {
    const named = 'id' in reference ? `with ID '${reference.id}'` : `'${reference.name}'`
    throw badRequest(`Not authorized to send to channel ${named}`)
  }
}

/** Whom the organization lets write to each other; nothing of it applies to oneself, from a bot, or to one bot. */
export function isFreeOfPermission(sender: Party, recipients: readonly Party[]): boolean {
  const others = othersThan(sender, recipients)
  return sender.is_bot || others.length === 0 || (others.length === 1 && others[0]?.is_bot === true)
}

/** Throws BAD_REQUEST for a recipient who is deactivated, and for too many of them. */
export function checkRecipients(
  sender: Party,
  recipients: readonly (Party & Pick<UserProjection, 'is_active' | 'email'>)[],
): void {
  const others = othersThan(sender, recipients)
  if (new Set(others.map(({ user_id }) => user_id)).size > limits.maxDirectMessageRecipients) {
    throw tooManyRecipients()
  }
  const gone = others.find((user) => !user.is_active)
  if (gone) throw badRequest(`'${gone.email}' is no longer using this service.`)
}

type Party = Pick<UserProjection, 'user_id' | 'is_bot'>

const othersThan = <P extends Party>({ user_id }: Party, recipients: readonly P[]): P[] =>
  recipients.filter((user) => user.user_id !== user_id)

/** The policy on wildcard mentions applies above this many subscribers or participants. */
export const WILDCARD_FREE_SIZE = 15

/**
 * Whether `wildcard_mention_policy` lets someone mention more than `WILDCARD_FREE_SIZE` people at once.
 * Its values differ from those of the organization's other policies.
 */
export function mayMentionMany(policy: number, { role, isFullMember }: PolicySubject): boolean {
  switch (policy) {
    case 1:
      return true
    case 2:
      return role <= Role.member
    case 3:
      return isFullMember
    case 5:
      return role <= Role.administrator
    case 7:
      return role <= Role.moderator
    default:
      return false
  }
}

/** The error for a channel that does not exist, with the name (HTML-escaped) or ID by which it was addressed. */
export function noSuchChannel(reference: { id: number } | { name: string }): AppError {
  if ('id' in reference) {
    return new AppError('STREAM_DOES_NOT_EXIST', {
      message: `Channel with ID '${reference.id}' does not exist`,
      details: { stream_id: reference.id },
    })
  }
  const stream = escapeHtml(reference.name)
  return new AppError('STREAM_DOES_NOT_EXIST', {
    message: `Channel '${stream}' does not exist`,
    details: { stream },
  })
}
