import { badRequest, Role } from '@tms/contracts'
import type { Person } from './account.queries.ts'

type Actor = Pick<Person, 'id' | 'role'>
type Target = Pick<Person, 'role' | 'isBot' | 'botOwnerId'>

/** Throws BAD_REQUEST unless the actor may rename the target: administrators anyone, owners of bots those. */
export function checkMayRename(actor: Actor, target: Target): void {
  if (!isAdministrator(actor) && !isOwnBot(actor, target)) throw insufficientPermission()
}

/**
 * Throws BAD_REQUEST unless the actor may give the target another role (API document, "Update a user"): only owners
 * make and unmake owners, and a guest must be something in between before administering.
 */
export function checkMayChangeRole(actor: Actor, target: Target, role: number): void {
  if (!isAdministrator(actor)) throw insufficientPermission()
  if ([role, target.role].includes(Role.owner) && actor.role !== Role.owner)
    throw badRequest('Only organization owners can add or remove the owner role')
  if (target.role === Role.guest && role <= Role.administrator)
    throw badRequest('A guest can not be made an administrator')
}

/** Throws BAD_REQUEST unless the actor may deactivate the target: administrators all but owners, owners anyone. */
export function checkMayDeactivate(actor: Actor, target: Target): void {
  if (!isAdministrator(actor)) throw insufficientPermission()
  if (target.role === Role.owner && actor.role !== Role.owner)
    throw badRequest('Only organization owners can deactivate owners')
}

/** Values of `bot_creation_policy` by which others than administrators make bots: of any type, or of all but one. */
const ANY_BOT = 1
const BOTS_BUT_GENERIC = 2
/** The type that sends whatever its owner's program says. */
const GENERIC_BOT = 1

/**
 * Throws BAD_REQUEST unless the actor may reactivate the target: administrators anyone, others their own bots as far
 * as they might create them.
 */
export function checkMayReactivate(
  actor: Actor,
  target: Target & Pick<Person, 'botType'>,
  botCreationPolicy: number,
): void {
  if (isAdministrator(actor)) return
  const mayCreate =
    actor.role <= Role.member &&
    (botCreationPolicy === ANY_BOT ||
      (botCreationPolicy === BOTS_BUT_GENERIC && target.botType !== GENERIC_BOT))
  if (!isOwnBot(actor, target) || !mayCreate) throw insufficientPermission()
}

/** Whether an organization would be without an owner if this one ceased to be, where `others` owners remain. */
export function isLastOwner(
  { role, isActive, isBot }: Pick<Person, 'role' | 'isActive' | 'isBot'>,
  others: number,
): boolean {
  return role === Role.owner && isActive && !isBot && others === 0
}

const isAdministrator = ({ role }: Actor): boolean => role <= Role.administrator

const isOwnBot = (actor: Actor, { isBot, botOwnerId }: Target): boolean => isBot && botOwnerId === actor.id

const insufficientPermission = (): Error => badRequest('Insufficient permission')
