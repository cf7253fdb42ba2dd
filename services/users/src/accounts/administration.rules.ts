import { badRequest, Role } from '@tms/contracts'
import type { Account } from '../kernel/accounts/account.queries.ts'

interface Actor {
  /** Null for the provisioning system. */
  readonly id: number | null
  readonly role: number
}
type Target = Pick<Account, 'role' | 'isBot' | 'botOwnerId'>

/** Throws BAD_REQUEST unless the actor may rename the target: administrators anyone, owners their own bots. */
export function checkMayRename(actor: Actor, target: Target): void {
  if (!isAdministrator(actor) && !isOwnBot(actor, target)) throw insufficientPermissionError()
}

/**
 * Throws BAD_REQUEST unless the actor may change the target's role (API document, "Update a user"). Only owners may
 * add or remove owners, and a guest can't become an administrator directly.
 */
export function checkMayChangeRole(actor: Actor, target: Target, role: number): void {
  if (!isAdministrator(actor)) throw insufficientPermissionError()
  if ([role, target.role].includes(Role.owner) && actor.role !== Role.owner)
    throw badRequest('Only organization owners can add or remove the owner role')
  if (target.role === Role.guest && role <= Role.administrator)
    throw badRequest('A guest cannot be made an administrator')
}

/**
 * Throws BAD_REQUEST unless the actor may change the target's address: administrators with that right, and only owners
 * that of an owner, since the address can set a new password.
 */
export function checkMayChangeEmail(actor: Actor, target: Target, hasRight: boolean): void {
  if (!isAdministrator(actor) || !hasRight)
    throw badRequest('You may not change the e-mail addresses of others')
  if (target.role === Role.owner && actor.role !== Role.owner)
    throw badRequest('Only organization owners can change the e-mail address of owners')
  if (target.isBot) throw badRequest('The e-mail address of a bot cannot be changed')
}

/** Throws BAD_REQUEST unless the actor may deactivate the target: owners anyone, administrators everyone but owners. */
export function checkMayDeactivate(actor: Actor, target: Target): void {
  if (!isAdministrator(actor)) throw insufficientPermissionError()
  if (target.role === Role.owner && actor.role !== Role.owner)
    throw badRequest('Only organization owners can deactivate owners')
}

/**
 * Throws BAD_REQUEST unless the actor may reactivate the target: administrators anyone, members their own bots if they
 * may create such a bot.
 */
export function checkMayReactivate(actor: Actor, target: Target, mayCreate: boolean): void {
  if (isAdministrator(actor)) return
  if (actor.role > Role.member || !isOwnBot(actor, target) || !mayCreate) throw insufficientPermissionError()
}

/** Whether the organization would lose its only owner; `others` counts the remaining owners. */
export function isLastOwner(
  { role, isActive, isBot }: Pick<Account, 'role' | 'isActive' | 'isBot'>,
  others: number,
): boolean {
  return role === Role.owner && isActive && !isBot && others === 0
}

const isAdministrator = ({ role }: Actor): boolean => role <= Role.administrator

const isOwnBot = (actor: Actor, { isBot, botOwnerId }: Target): boolean =>
  isBot && botOwnerId !== null && botOwnerId === actor.id

const insufficientPermissionError = (): Error => badRequest('Insufficient permission')
