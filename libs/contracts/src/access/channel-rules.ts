import { Role } from '../permissions/role.ts'
import { allows, both, oneOf } from './access-rule.ts'

export interface ChannelConditions {
  readonly isSubscribed: boolean
  readonly isWebPublic: boolean
  readonly isPrivate: boolean
  readonly role: number | null
}

/** A web-public channel is open to the world, a public one to everybody but guests, a private one to its subscribers. */
export const accessGrounds = [
  { isWebPublic: true },
  { isPrivate: false, role: Role.member },
  { isSubscribed: true },
] as const

const access = oneOf<ChannelConditions>(...accessGrounds)

/** Who may do what with a channel. */
export const channelRules = {
  /** See that it exists, its settings and its subscribers: administrators see what they may not read. */
  see: both(
    oneOf<{ isArchived: boolean }>({ isArchived: false }),
    oneOf<ChannelConditions>({ role: Role.administrator }, ...accessGrounds),
  ),
  /** Read what is sent to it, and send to it if its policy allows that too. */
  access,
  /** Read what was sent to it before, too. */
  readHistory: both(access, oneOf<{ sharesHistory: boolean }>({ sharesHistory: true })),
  /** See which channels are the default ones. */
  seeDefaults: oneOf<{ role: number | null }>({ role: Role.member }),
}

/** The kind of a channel, as its record has it. */
interface Kind {
  readonly invite_only: boolean
  readonly is_web_public: boolean
}

const unsubscribed = (role: number | null, { invite_only, is_web_public }: Kind) => ({
  isSubscribed: false,
  isWebPublic: is_web_public,
  isPrivate: invite_only,
  isArchived: false,
  role,
})

/** Whether a role can see a channel and its subscribers without being subscribed. */
export const canSeeUnsubscribed = (role: number, channel: Kind): boolean =>
  allows(channelRules.see, unsubscribed(role, channel))

/** Whether a role may access a channel without being subscribed. */
export const canAccessUnsubscribed = (role: number | null, channel: Kind): boolean =>
  allows(channelRules.access, unsubscribed(role, channel))

/** Whether a role may access all public channels. */
export const canAccessPublicChannels = (role: number | null): boolean =>
  canAccessUnsubscribed(role, { invite_only: false, is_web_public: false })

/** Whether a role sees which channels are the default ones. */
export const canSeeDefaultChannels = (role: number): boolean => allows(channelRules.seeDefaults, { role })
