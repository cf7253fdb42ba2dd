import { AppError, BotType, badRequest, limits, Role } from '@tms/contracts'

/** Who asks. */
interface Actor {
  readonly userId: number
  readonly role: number
  readonly isBot: boolean
}

/** Values of `bot_creation_policy`; everyone is 1. */
const GENERIC_BY_ADMINISTRATORS = 2
const BY_ADMINISTRATORS = 3

/** Throws BAD_REQUEST for bots and guests. */
export function checkKeepsBots({ role, isBot }: Pick<Actor, 'role' | 'isBot'>): void {
  if (isBot) throw badRequest('Bots can not do this')
  if (role > Role.member) throw badRequest('Guests can not do this')
}

/** Throws UNAUTHORIZED_PRINCIPAL for who may not create such a bot by the organization's `bot_creation_policy`. */
export function checkMayCreate({ role }: Pick<Actor, 'role'>, botType: number, policy: number): void {
  if (role <= Role.administrator) return
  const isRefused =
    policy === BY_ADMINISTRATORS || (policy === GENERIC_BY_ADMINISTRATORS && botType === BotType.generic)
  if (isRefused) throw new AppError('UNAUTHORIZED_PRINCIPAL')
}

/**
 * Throws BAD_REQUEST unless it is one's own bot or one is an administrator, and UNAUTHORIZED_PRINCIPAL for a bot with
 * more power than oneself, whose key would give that.
 */
export function checkManages(
  caller: Actor,
  bot: { readonly botOwnerId: number | null; readonly role: number },
): void {
  if (isManager(caller, bot)) return
  if (caller.role > Role.administrator) throw badRequest('Insufficient permission')
  throw new AppError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })
}

/** Whether one manages a bot, as `checkManages` decides, and so may have its key. */
export function isManager(
  { userId, role }: Pick<Actor, 'userId' | 'role'>,
  bot: { readonly botOwnerId: number | null; readonly role: number },
): boolean {
  return bot.botOwnerId === userId || (role <= Role.administrator && role <= bot.role)
}

/**
 * Throws UNAUTHORIZED_PRINCIPAL for who may not give a bot this role: owners any, administrators any but an owner's.
 */
export function checkMayGiveRole({ role: ownRole }: Pick<Actor, 'role'>, from: number, to: number): void {
  if (ownRole > Role.administrator) throw new AppError('UNAUTHORIZED_PRINCIPAL')
  if (Math.min(from, to) < ownRole)
    throw new AppError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })
}

/** Throws BAD_REQUEST unless someone can own a bot of this role: whoever owns it has its key, hence its power. */
export function checkCanOwn(
  owner: { readonly isActive: boolean; readonly isBot: boolean; readonly role: number } | null,
  botRole: number,
): asserts owner {
  if (!owner) throw badRequest('The owner of a bot must be a user')
  if (!owner.isActive) throw badRequest('The owner of a bot must be active')
  if (owner.isBot) throw badRequest('Bots can not own bots')
  if (owner.role > Role.member) throw badRequest('Guests can not own bots')
  if (botRole < owner.role) throw badRequest('A bot can not have more power than its owner')
}

/** Throws BAD_REQUEST for a member who has as many active bots as they can own: each has a limit of calls of its own. */
export function checkCanOwnMore({ role }: { readonly role: number }, activeBots: number): void {
  if (role > Role.administrator && activeBots >= limits.maxActiveBots)
    throw badRequest(`A member can own at most ${limits.maxActiveBots} active bots`)
}
