import { AppError, badRequest, limits, type UserProjection } from '@tms/contracts'
import { escapeHtml } from '@tms/service-kit'
import { type ChannelReference, tooManyRecipientsError } from '../kernel/messages/message-target.rules.ts'

/** Interactive clients. Their users have read what they send. */
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

/** Whether a message is stored as read by its sender: as requested, else by the client program. */
export function isReadBySender(isReadRequested: boolean | undefined, client: string): boolean {
  const name = client.toLowerCase()
  return isReadRequested ?? (READING_CLIENTS.has(name) || name.includes('desktop app'))
}

/**
 * Throws BAD_REQUEST for `queue_id` without `local_id` (API document, "Send a message"). `local_id` alone is
 * accepted, since there is no queue to echo it to.
 */
export function checkEcho(queueId: string | undefined, localId: string | undefined): void {
  if (queueId !== undefined && localId === undefined) throw badRequest('queue_id requires local_id')
}

/** Whether permission to write is not needed: to oneself, from a bot, or to a single bot. */
export function needsNoPermission(sender: Party, recipients: readonly Party[]): boolean {
  const others = withoutSender(sender, recipients)
  return sender.is_bot || others.length === 0 || (others.length === 1 && others[0]?.is_bot === true)
}

/** Throws BAD_REQUEST if a recipient is deactivated, and for too many recipients. */
export function checkRecipients(
  sender: Party,
  recipients: readonly (Party & Pick<UserProjection, 'is_active' | 'email'>)[],
): void {
  const others = withoutSender(sender, recipients)
  if (new Set(others.map(({ user_id }) => user_id)).size > limits.maxDirectMessageRecipients) {
    throw tooManyRecipientsError()
  }
  const deactivated = others.find((user) => !user.is_active)
  if (deactivated) throw badRequest(`'${deactivated.email}' is no longer using this service.`)
}

type Party = Pick<UserProjection, 'user_id' | 'is_bot'>

const withoutSender = <P extends Party>({ user_id }: Party, recipients: readonly P[]): P[] =>
  recipients.filter((user) => user.user_id !== user_id)

/** `can_mention_many_users_group` applies above this many subscribers or participants. */
export const WILDCARD_FREE_SIZE = 15

/** The error for a channel that does not exist, with the ID or name (HTML-escaped) that the client sent. */
export function noSuchChannel(reference: ChannelReference): AppError {
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
