import { allows, messageRules } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'

/** What decides whether a user may see a message. */
interface AccessibleMessage {
  readonly isReceived: boolean
  readonly isHistorical: boolean
  /** Null for a direct message. */
  readonly channel: {
    readonly inviteOnly: boolean
    readonly isWebPublic: boolean
    readonly historyPublicToSubscribers: boolean
    readonly isSubscribed: boolean
  } | null
}

/** Whether a user may see a message by its ID. */
export function canSeeMessage(
  { role }: Pick<Caller, 'role'>,
  { isReceived, isHistorical, channel }: AccessibleMessage,
): boolean {
  return allows(messageRules.read, {
    isDirect: channel === null,
    isReceived,
    isHistorical,
    isSubscribed: channel?.isSubscribed ?? false,
    isWebPublic: channel?.isWebPublic ?? false,
    isPrivate: channel?.inviteOnly ?? true,
    sharesHistory: channel?.historyPublicToSubscribers ?? false,
    role,
  })
}
