import type { RealmProjection } from '@tms/contracts'
import { findLinkByKey } from '../invitations/invitation-link.queries.ts'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { isLinkKey } from '../kernel/credentials/link-key.ts'
import { findAdmission } from './find-admission.ts'
import type { Invitation } from './sign-up-outcome.ts'

/** Finds what a link's key belongs to: a mail (`/accounts/do_confirm/{key}`) or a reusable link (`/join/{key}/`). */
export async function findInvitation(
  { prisma, now }: Pick<Context, 'prisma' | 'now'>,
  realm: RealmProjection,
  key: string,
): Promise<Invitation> {
  if (!realm.is_active || !isLinkKey(key)) return { kind: 'invalid' }
  const nameOf = async (id: number) => (await findAccount(prisma, realm.realm_id, id))?.fullName ?? ''
  const admission = await findAdmission(prisma, realm, key, now())
  if (admission) {
    const { email, invitedAs, inviterId } = admission
    if (inviterId === null) return { kind: 'confirmed-address', email }
    return { kind: 'email', email, invitedAs, inviterName: await nameOf(inviterId) }
  }
  const link = await findLinkByKey(prisma, realm.realm_id, key, now())
  if (!link) return { kind: 'invalid' }
  return { kind: 'link', invitedAs: link.invitedAs, inviterName: await nameOf(link.creatorId) }
}
