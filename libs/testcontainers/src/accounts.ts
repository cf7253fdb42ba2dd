import { createHash } from 'node:crypto'

/** Numbers of the API. */
export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
export type RoleName = keyof typeof roles

export const botTypes = { generic: 1, 'incoming-webhook': 2, 'outgoing-webhook': 3 } as const

export interface OwnerOptions {
  /** Default: owner@example.com. */
  email?: string
  /** Default: Organization Owner. */
  fullName?: string
  /** Default: derived from the e-mail, so it is the same in every run. */
  password?: string
}

export interface UserOptions {
  fullName: string
  /** Default: derived from the name, at example.com. */
  email?: string
  /** Default: derived from the e-mail, so it is the same in every run. */
  password?: string
  /** Default: member. */
  role?: RoleName
}

export interface BotOptions {
  fullName: string
  /** The part of its e-mail before `-bot@`. Default: derived from the name. */
  shortName?: string
  /**
   * Default: generic, which may do what members may. An incoming webhook may only send messages; an outgoing webhook
   * is called at its `payloadUrl`.
   */
  type?: keyof typeof botTypes
  /** The URL of an outgoing webhook, as the container reaches it. */
  payloadUrl?: string
  /** Name or e-mail of the bot's owner. Default: the organization's owner. */
  owner?: string
}

export interface ChannelOptions {
  name: string
  description?: string
  /** Default: false, so everyone but guests may join. */
  isPrivate?: boolean
  /**
   * Names or e-mails of users and bots. Default: everybody who exists when the channel is created, including the
   * owner.
   */
  subscribers?: readonly string[]
}

/** A person or a bot with access to the API. */
export interface Account {
  readonly userId: number
  readonly fullName: string
  /** The user name of HTTP Basic; the API key is the password. */
  readonly email: string
  readonly apiKey: string
  /** Null for bots, which have no password. */
  readonly password: string | null
}

/** A password that can't be guessed and is the same in every run, so it is still valid in a reused container. */
export function passwordOf(email: string): string {
  return createHash('sha256').update(`password of ${email.toLowerCase()}`).digest('base64url').slice(0, 24)
}

/** Turns "Iago Moor" into `iago.moor` for addresses. Throws if the name has no ASCII letter or digit. */
export function addressNameOf(fullName: string): string {
  const name = fullName
    .normalize('NFD')
    .toLowerCase()
    .replace(/\p{Mn}/gu, '')
    .replace(/[^a-z0-9]+/g, '.')
    .replace(/^\.+|\.+$/g, '')
  if (name === '') throw new Error(`${JSON.stringify(fullName)} makes no address: say which one it has`)
  return name
}

/** Finds the account with this name or e-mail. Throws an error that lists the accounts if there is none. */
export function findAccount(accounts: readonly Account[], nameOrEmail: string): Account {
  const wanted = nameOrEmail.trim().toLowerCase()
  const found = accounts.find(({ email, fullName }) =>
    [email, fullName].some((text) => text.toLowerCase() === wanted),
  )
  if (found) return found
  const known = accounts.map(({ fullName, email }) => `${fullName} <${email}>`).join(', ')
  throw new Error(
    `nobody with the name or e-mail ${JSON.stringify(nameOrEmail)} was created here; there are ${known}`,
  )
}
