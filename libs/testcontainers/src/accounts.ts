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
  /** Default: one that is made from the e-mail, the same in every run. */
  password?: string
}

export interface UserOptions {
  fullName: string
  /** Default: made from the name, at example.com. */
  email?: string
  /** Default: one that is made from the e-mail, the same in every run. */
  password?: string
  /** Default: member. */
  role?: RoleName
}

export interface BotOptions {
  fullName: string
  /** What stands before `-bot@` in its e-mail; default: made from the name. */
  shortName?: string
  /**
   * Default: generic, which may do what members may; an incoming webhook may only send messages; an outgoing webhook is
   * called, at its `payloadUrl`.
   */
  type?: keyof typeof botTypes
  /** Where an outgoing webhook is called, as the container reaches it. */
  payloadUrl?: string
  /** Name or e-mail of the user whose bot it is; default: the organization's owner. */
  owner?: string
}

export interface ChannelOptions {
  name: string
  description?: string
  /** Default: false, everyone but guests may join. */
  isPrivate?: boolean
  /** Names or e-mails of users and bots; default: all that there are when it is created, the owner included. */
  subscribers?: readonly string[]
}

/** Who can call the API: a person or a bot. */
export interface Account {
  readonly userId: number
  readonly fullName: string
  /** With the API key, what HTTP Basic takes. */
  readonly email: string
  readonly apiKey: string
  /** Null for bots, which have none. */
  readonly password: string | null
}

/** A password that nobody guesses, and that a container which is used again still has. */
export function passwordOf(email: string): string {
  return createHash('sha256').update(`password of ${email.toLowerCase()}`).digest('base64url').slice(0, 24)
}

/** "Iago Moor" as `iago.moor`, for addresses. Throws for a name without any letter or digit of ASCII. */
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

/** Who has this name or e-mail. Throws an error that says who there is. */
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
