import { AppError, BotType, badRequest, limits, Role } from '@tms/contracts'

interface Actor {
  readonly userId: number
  readonly role: number
  readonly isBot: boolean
}

/** Throws BAD_REQUEST for bots and guests. */
export function checkMayUseBots({ role, isBot }: Pick<Actor, 'role' | 'isBot'>): void {
  if (isBot) throw badRequest('Bots cannot do this')
  if (role > Role.member) throw badRequest('Guests cannot do this')
}

/** The permissions any of which lets one create a bot of a type. */
export const botCreationPermissions = ['can_create_bots_group', 'can_create_write_only_bots_group'] as const
export type BotCreationPermissions = Readonly<Record<(typeof botCreationPermissions)[number], boolean>>

/** Whether a user may create bots of a type: administrators any, others by their permissions. */
export function mayCreateBot(
  { role }: Pick<Actor, 'role'>,
  botType: number | null,
  { can_create_bots_group, can_create_write_only_bots_group }: BotCreationPermissions,
): boolean {
  if (role <= Role.administrator || can_create_bots_group) return true
  return can_create_write_only_bots_group && botType !== BotType.generic
}

/**
 * Throws BAD_REQUEST unless the caller owns the bot or is an administrator, and UNAUTHORIZED_PRINCIPAL for a bot with
 * more power than the caller, because its key grants that power.
 */
export function checkManages(
  caller: Actor,
  bot: { readonly botOwnerId: number | null; readonly role: number },
): void {
  if (isManager(caller, bot)) return
  if (caller.role > Role.administrator) throw badRequest('Insufficient permission')
  throw new AppError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })
}

/** Whether the user manages the bot by the rule of `checkManages`, and so may have its key. */
export function isManager(
  { userId, role }: Pick<Actor, 'userId' | 'role'>,
  bot: { readonly botOwnerId: number | null; readonly role: number },
): boolean {
  return bot.botOwnerId === userId || (role <= Role.administrator && role <= bot.role)
}

/** Throws UNAUTHORIZED_PRINCIPAL unless the caller may set the role: owners any, administrators any but owner. */
export function checkMayGiveRole({ role: ownRole }: Pick<Actor, 'role'>, from: number, to: number): void {
  if (ownRole > Role.administrator) throw new AppError('UNAUTHORIZED_PRINCIPAL')
  if (Math.min(from, to) < ownRole)
    throw new AppError('UNAUTHORIZED_PRINCIPAL', { message: 'Must be an organization owner' })
}

/** Throws BAD_REQUEST unless the user can own a bot with this role: an owner has the bot's key, hence its power. */
export function checkCanOwn(
  owner: { readonly isActive: boolean; readonly isBot: boolean; readonly role: number } | null,
  botRole: number,
): asserts owner {
  if (!owner) throw badRequest('The owner of a bot must be a user')
  if (!owner.isActive) throw badRequest('The owner of a bot must be active')
  if (owner.isBot) throw badRequest('Bots cannot own bots')
  if (owner.role > Role.member) throw badRequest('Guests cannot own bots')
  if (botRole < owner.role) throw badRequest('A bot cannot have more power than its owner')
}

/** Throws BAD_REQUEST if a member has the maximum of active bots: each bot has its own rate limit. */
export function checkActiveBotCount({ role }: { readonly role: number }, activeBots: number): void {
  if (role > Role.administrator && activeBots >= limits.maxActiveBots)
    throw badRequest(`A member can own at most ${limits.maxActiveBots} active bots`)
}
