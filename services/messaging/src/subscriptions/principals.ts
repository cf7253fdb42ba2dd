import { badRequest, limits } from '@tms/contracts'
import type { Caller, Tx } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { findVisibleByEmails, findVisibleByIds } from '../kernel/guest-visibility/visible-users.ts'
import { shareChannelVisibilityLock } from '../kernel/locks/channel-visibility-lock.queries.ts'
import type { KnownUser } from '../kernel/projections/projection-reader.ts'
import { listPublishedInactive } from '../kernel/projections/published-membership.queries.ts'

/**
 * Finds the users of a call without duplicates; the caller if none are named. Throws BAD_REQUEST for a user who is
 * unknown, of another organization, deactivated, or not visible to the caller.
 */
export async function getPrincipals(
  context: Pick<Context, 'db' | 'projections'>,
  caller: Caller,
  principals: readonly number[] | readonly string[] | undefined,
): Promise<KnownUser[]> {
  if (principals === undefined || principals.length === 0)
    return [await context.projections.getUser(caller.userId)]
  if (principals.length > limits.maxListLength) {
    throw badRequest(`Too many principals (limit: ${limits.maxListLength}).`)
  }
  const userIds = principals.filter((principal) => typeof principal === 'number')
  const emails = principals.filter((principal) => typeof principal === 'string')
  const byId = await findVisibleByIds(context, caller, userIds)
  const byEmail = await findVisibleByEmails(context, caller, emails)

  const users = new Map<number, KnownUser>()
  for (const principal of principals) {
    const user = typeof principal === 'number' ? byId.get(principal) : byEmail.get(principal.toLowerCase())
    if (!user) throw badRequest(`No such user: ${principal}`)
    if (!user.is_active) throw badRequest(`User is deactivated: ${principal}`)
    users.set(user.user_id, user)
  }
  return [...users.values()]
}

/**
 * Prevents the deactivation of users until the transaction ends. Call it before channels are locked. Throws BAD_REQUEST
 * if one of them was deactivated since `getPrincipals`.
 */
export async function lockActivity(tx: Tx, realmId: number, users: readonly KnownUser[]): Promise<void> {
  await shareChannelVisibilityLock(tx, realmId)
  const [inactiveId] = await listPublishedInactive(
    tx,
    users.map(({ user_id }) => user_id),
  )
  if (inactiveId !== undefined) throw badRequest(`User is deactivated: ${inactiveId}`)
}

/** Whether the call concerns a user other than the caller. */
export function concernsOthers(caller: Caller, users: readonly KnownUser[]): boolean {
  return users.some(({ user_id }) => user_id !== caller.userId)
}

/** Maximum of rows that one call changes: more would hold the locks of the channels too long. */
const MAX_PAIRS = 100_000

/** Throws BAD_REQUEST if a call exceeds the limits. */
export function checkCallSize(channelCount: number, userCount: number): void {
  if (channelCount > limits.maxListLength) {
    throw badRequest(`Too many channels (limit: ${limits.maxListLength}).`)
  }
  if (channelCount * userCount > MAX_PAIRS) {
    throw badRequest(`Too many subscriptions in one request (limit: ${MAX_PAIRS}).`)
  }
}
