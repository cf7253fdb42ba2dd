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
    readonly isArchived: boolean
    /** Of an archived channel too. */
    readonly isSubscribed: boolean
    /** A permission lets the user read the channel. */
    readonly isReader: boolean
  } | null
}

/** Whether a user may see a message of a channel that isn't archived, or a direct one. */
export const canSeeMessage = (viewer: Pick<Caller, 'role'>, message: AccessibleMessage): boolean =>
  allows(messageRules.read, conditionsOf(viewer, message))

/** Whether a user may read a message by its ID, also in an archived channel. */
export const canReadArchivedMessage = (viewer: Pick<Caller, 'role'>, message: AccessibleMessage): boolean =>
  allows(messageRules.readArchived, conditionsOf(viewer, message))

const conditionsOf = (
  { role }: Pick<Caller, 'role'>,
  { isReceived, isHistorical, channel }: AccessibleMessage,
) => ({
  isDirect: channel === null,
  isReceived,
  isHistorical,
  isArchived: channel?.isArchived ?? false,
  isSubscribed: channel?.isSubscribed ?? false,
  isViewer: channel?.isReader ?? false,
  isReader: channel?.isReader ?? false,
  isWebPublic: channel?.isWebPublic ?? false,
  isPrivate: channel?.inviteOnly ?? true,
  sharesHistory: channel?.historyPublicToSubscribers ?? false,
  role,
})
