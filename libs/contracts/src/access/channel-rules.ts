import { Role } from '../permissions/role.ts'
import { allows, both, oneOf } from './access-rule.ts'

export interface ChannelConditions {
  readonly isArchived: boolean
  readonly isSubscribed: boolean
  /** A permission on a private channel lets the user see it: to administer it, or one that makes a reader. */
  readonly isViewer: boolean
  /** A permission on a private channel lets the user read it: to subscribe to it, or to add subscribers. */
  readonly isReader: boolean
  readonly isWebPublic: boolean
  readonly isPrivate: boolean
  readonly role: number | null
}

/**
 * A web-public channel is open to the world, a public one to everybody but guests, a private one to its subscribers, and to those
 * who may become or add some.
 */
export const accessGrounds = [
  { isWebPublic: true },
  { isPrivate: false, role: Role.member },
  { isSubscribed: true },
  { isReader: true, role: Role.member },
] as const

/** What is archived takes no part in anything. */
export const isLive = oneOf<ChannelConditions>({ isArchived: false })

/** To those who ask for archived channels, who need an account. */
export const isLiveOrShown = oneOf<ChannelConditions>({ isArchived: false }, { role: Role.guest })

const grounds = oneOf<ChannelConditions>(...accessGrounds)
const seeingGrounds = oneOf<ChannelConditions>({ role: Role.administrator }, ...accessGrounds, {
  isViewer: true,
  role: Role.member,
})
const access = both(isLive, grounds)

const sharesHistory = oneOf<{ sharesHistory: boolean }>({ sharesHistory: true })

/** Who may do what with a channel. */
export const channelRules = {
  /** See that it exists, its settings and its subscribers: administrators, also of the channel, see what they may not read. */
  see: both(isLive, seeingGrounds),
  /** The same, also of an archived one. */
  seeArchived: both(isLiveOrShown, seeingGrounds),
  /** Read what is sent to it, and send to it if its policy allows that too. */
  access,
  /** Subscribe to it, also to an archived one. */
  join: both(isLiveOrShown, grounds),
  /** Read what was sent to it before, too. */
  readHistory: both(access, sharesHistory),
  /** The same, also of an archived one. */
  readArchivedHistory: both(both(isLiveOrShown, grounds), sharesHistory),
  /** See which channels are the default ones. */
  seeDefaults: oneOf<{ role: number | null }>({ role: Role.member }),
}

/** The kind of a channel, as its record has it. */
interface Kind {
  readonly invite_only: boolean
  readonly is_web_public: boolean
}

/** What permissions on a channel give a user. */
interface Grant {
  readonly isViewer: boolean
  readonly isReader: boolean
}
const NO_GRANT: Grant = { isViewer: false, isReader: false }

const unsubscribed = (role: number | null, { invite_only, is_web_public }: Kind, grant: Grant) => ({
  ...grant,
  isSubscribed: false,
  isWebPublic: is_web_public,
  isPrivate: invite_only,
  isArchived: false,
  role,
})

/** Whether a user of a role can see a channel and its subscribers without being subscribed. `isViewer`: by a permission. */
export const canSeeUnsubscribed = (role: number, channel: Kind, isViewer = false): boolean =>
  allows(channelRules.see, unsubscribed(role, channel, { isViewer, isReader: false }))

/** Whether a role may access a channel without being subscribed, and without a permission on it. */
export const canAccessUnsubscribed = (role: number | null, channel: Kind): boolean =>
  allows(channelRules.access, unsubscribed(role, channel, NO_GRANT))

/** Whether a role may access all public channels. */
export const canAccessPublicChannels = (role: number | null): boolean =>
  canAccessUnsubscribed(role, { invite_only: false, is_web_public: false })

/** Whether a role sees which channels are the default ones. */
export const canSeeDefaultChannels = (role: number): boolean => allows(channelRules.seeDefaults, { role })
