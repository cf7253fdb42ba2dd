import { type RealmProjection, Role } from '@tms/contracts'
import { uninvited } from '../accounts/admit-user.ts'
import { type Admission, admissionOf, admissionOfLink, limitToInviterRole } from '../invitations/admission.ts'
import { findInvitationByKey } from '../invitations/invitation.queries.ts'
import { findLinkById } from '../invitations/invitation-link.queries.ts'
import { hashLinkKey } from '../kernel/credentials/link-key.ts'
import type { PrismaDb } from '../kernel/database/prisma-tx.ts'
import { findConfirmation } from './address-confirmation.queries.ts'

/** Null if the key is unknown, used, revoked or expired. */
export async function findAdmission(
  db: PrismaDb,
  realm: RealmProjection,
  key: string,
  now: Date,
): Promise<Admission | null> {
  const keyHash = hashLinkKey(key)
  const invitation = await findInvitationByKey(db, realm.realm_id, keyHash, now)
  if (invitation) return limitToInviterRole(db, realm, invitation.creatorId, admissionOf(invitation))

  const confirmation = await findConfirmation(db, realm.realm_id, keyHash, now)
  if (!confirmation) return null
  const { email, linkId } = confirmation
  const link = linkId === null ? null : await findLinkById(db, linkId)
  if (link) return admissionOfLink(db, realm, link, email)
  if (realm.invite_required) return null
  return { email, invitedAs: Role.member, joining: uninvited, groupIds: [], inviterId: null }
}
