import { allows, channelRules } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'

/** What connects a user with a channel; null for nothing. */
export type Membership = {
  readonly isActive: boolean
  /** A permission lets the user see the channel, or read it too. */
  readonly isViewer: boolean
  readonly isReader: boolean
} | null

/** The membership of a user as far as it decides who reads a channel. */
export const readingMembership = ({
  isSubscribed,
  isReader,
}: {
  readonly isSubscribed: boolean
  readonly isReader: boolean
}): NonNullable<Membership> => ({ isActive: isSubscribed, isViewer: isReader, isReader })

type Viewer = Pick<Caller, 'role'>

/** The kind of a channel. */
interface Kind {
  readonly inviteOnly: boolean
  readonly isWebPublic: boolean
  /** Missing where no archived channel is. */
  readonly isArchived?: boolean
}

const conditionsOf = ({ role }: Viewer, channel: Kind, membership: Membership) => ({
  isArchived: channel.isArchived ?? false,
  isSubscribed: membership?.isActive ?? false,
  isViewer: membership?.isViewer ?? false,
  isReader: membership?.isReader ?? false,
  isWebPublic: channel.isWebPublic,
  isPrivate: channel.inviteOnly,
  role,
})

/** Whether a user may see a channel that isn't archived, its settings and its subscribers. */
export const canSeeChannel = (caller: Viewer, channel: Kind, membership: Membership): boolean =>
  allows(channelRules.see, conditionsOf(caller, channel, membership))

/** The same, also for an archived one. */
export const canSeeArchivedChannel = (caller: Viewer, channel: Kind, membership: Membership): boolean =>
  allows(channelRules.seeArchived, conditionsOf(caller, channel, membership))

/** Whether a user may subscribe to a channel, archived or not, or may decide who does. */
export const canJoinChannel = (caller: Viewer, channel: Kind, membership: Membership): boolean =>
  allows(channelRules.join, conditionsOf(caller, channel, membership))

/** Whether a user may access the content of a channel. */
export const canAccessChannel = (caller: Viewer, channel: Kind, membership: Membership): boolean =>
  allows(channelRules.access, conditionsOf(caller, channel, membership))

/** Whether a user may read the whole history of a channel, rather than only received messages. */
export const canReadHistory = (
  caller: Viewer,
  channel: Kind & { readonly historyPublicToSubscribers: boolean },
  membership: Membership,
): boolean =>
  allows(channelRules.readHistory, {
    ...conditionsOf(caller, channel, membership),
    sharesHistory: channel.historyPublicToSubscribers,
  })

/** The same, also of an archived one. */
export const canReadArchivedHistory = (
  caller: Viewer,
  channel: Kind & { readonly historyPublicToSubscribers: boolean },
  membership: Membership,
): boolean =>
  allows(channelRules.readArchivedHistory, {
    ...conditionsOf(caller, channel, membership),
    sharesHistory: channel.historyPublicToSubscribers,
  })
