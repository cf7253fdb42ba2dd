import type { RealmProjection } from '@tms/contracts'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { findToken } from '../scim/scim-token.queries.ts'
import { scimUrlOf } from '../scim/scim-token.ts'
import type { ShownProvisioning } from './provisioning-views.ts'

/** What provisions the accounts of an organization, as its administrators see it. */
export async function findProvisioning(
  { db, prisma }: Pick<Context, 'db' | 'prisma'>,
  realm: RealmProjection,
): Promise<ShownProvisioning> {
  const token = await findToken(db, realm.realm_id)
  const creator =
    token && token.creatorId !== null && (await findAccount(prisma, realm.realm_id, token.creatorId))
  return {
    url: scimUrlOf(realm),
    token: token && { createdAt: token.createdAt, creatorName: creator ? creator.fullName : null },
  }
}
