import { allows, channelRules } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'

/** Membership of a user in a channel; null if the user never subscribed. */
export type Membership = { readonly isActive: boolean } | null

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

/** Whether a user may subscribe to a channel, archived or not. */
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
