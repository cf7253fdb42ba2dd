import { badRequest, type RealmProjection } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import { type Account, findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'

/** The calling user and their organization. Throws BAD_REQUEST if either doesn't exist. */
export async function getInviter(
  { prisma, realms }: Pick<Context, 'prisma' | 'realms'>,
  caller: Caller,
): Promise<{ inviter: Account; realm: RealmProjection }> {
  const [inviter, realm] = await Promise.all([
    findAccount(prisma, caller.realmId, caller.userId),
    realms.findById(caller.realmId),
  ])
  if (!inviter || !realm) throw badRequest('There is no such account')
  return { inviter, realm }
}
