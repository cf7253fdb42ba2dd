import { badRequest, limits } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Context } from '../context.ts'
import type { KnownUser } from '../directory/directory.ts'
import { findSeenByEmails, findSeenByIds } from '../guest-visibility/unknown-users.ts'

/**
 * The users that a call is about, each once; the caller when none are named. Throws BAD_REQUEST for one who
 * is unknown, of another organization, deactivated, or not for the caller to see.
 */
export async function findPrincipals(
  context: Pick<Context, 'db' | 'directory'>,
  caller: Caller,
  principals: readonly number[] | readonly string[] | undefined,
): Promise<KnownUser[]> {
  if (principals === undefined || principals.length === 0)
    return [await context.directory.getUser(caller.userId)]
  if (principals.length > limits.maxListLength) {
    throw badRequest(`Too many principals (limit: ${limits.maxListLength}).`)
  }
  const userIds = principals.filter((principal) => typeof principal === 'number')
  const emails = principals.filter((principal) => typeof principal === 'string')
  const byId = await findSeenByIds(context, caller, userIds)
  const byEmail = await findSeenByEmails(context, caller, emails)

  const users = new Map<number, KnownUser>()
  for (const principal of principals) {
    const user = typeof principal === 'number' ? byId.get(principal) : byEmail.get(principal.toLowerCase())
    if (!user) throw badRequest(`No such user: ${principal}`)
    if (!user.is_active) throw badRequest(`User is deactivated: ${principal}`)
    users.set(user.user_id, user)
  }
  return [...users.values()]
}

/** Whether the call is about anyone but the caller. */
export function concernsOthers(caller: Caller, users: readonly KnownUser[]): boolean {
  return users.some(({ user_id }) => user_id !== caller.userId)
}

/** Rows that one call may change: more would hold the channels' locks too long. */
const MAX_PAIRS = 100_000

/** Throws BAD_REQUEST when one call asks for too much. */
export function checkCallSize(channelCount: number, userCount: number): void {
  if (channelCount > limits.maxListLength) {
    throw badRequest(`Too many channels (limit: ${limits.maxListLength}).`)
  }
  if (channelCount * userCount > MAX_PAIRS) {
    throw badRequest(`Too many subscriptions in one request (limit: ${MAX_PAIRS}).`)
  }
}
