import { badRequest, type RealmProjection } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { findPerson, type Person } from '../accounts/account.queries.ts'
import type { Context } from '../context.ts'

/** Whoever calls, and their organization. Throws BAD_REQUEST if either is gone. */
export async function getInviter(
  { prisma, realms }: Pick<Context, 'prisma' | 'realms'>,
  caller: Caller,
): Promise<{ inviter: Person; realm: RealmProjection }> {
  const [inviter, realm] = await Promise.all([
    findPerson(prisma, caller.realmId, caller.userId),
    realms.findById(caller.realmId),
  ])
  if (!inviter || !realm) throw badRequest('There is no such account')
  return { inviter, realm }
}
