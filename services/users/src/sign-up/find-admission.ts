import { type Joining, type RealmProjection, Role } from '@tms/contracts'
import { uninvited } from '../accounts/admit-user.ts'
import { findInvitationByKey, type OpenInvitation } from '../invitations/invitation.queries.ts'
import { findLinkById } from '../invitations/invitation-link.queries.ts'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import { hashLinkKey } from '../kernel/credentials/link-key.ts'
import type { PrismaDb } from '../kernel/database/prisma-tx.ts'
import { findConfirmation } from './address-confirmation.queries.ts'

/** What a mailed key allows: signing up with an address, in a role. */
export interface Admission {
  readonly email: string
  readonly invitedAs: number
  readonly joining: Joining
  /** Custom groups that the user joins. */
  readonly groupIds: readonly number[]
  /** The sender of a mailed invitation; null for a link or an open organization. */
  readonly inviterId: number | null
}

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
  if (link) {
    const { invitedAs, channelIds, groupIds, withDefaultChannels } = link
    // The creator of a reusable link isn't notified of each user.
    const joining = {
      stream_ids: channelIds,
      inviter_id: link.creatorId,
      with_default_streams: withDefaultChannels,
      notify_user_id: null,
    }
    const admission = { email, invitedAs, joining, groupIds, inviterId: null }
    return limitToInviterRole(db, realm, link.creatorId, admission)
  }
  if (realm.invite_required) return null
  return { email, invitedAs: Role.member, joining: uninvited, groupIds: [], inviterId: null }
}

/** An invited role never exceeds the inviter's current power. */
async function limitToInviterRole(
  db: PrismaDb,
  realm: RealmProjection,
  creatorId: number,
  admission: Admission,
): Promise<Admission> {
  const creator = await findAccount(db, realm.realm_id, creatorId)
  return { ...admission, invitedAs: Math.max(admission.invitedAs, creator?.role ?? Role.member) }
}

function admissionOf(invitation: OpenInvitation): Admission {
  const { email, invitedAs, creatorId, channelIds, groupIds, withDefaultChannels, notifyCreator } = invitation
  return {
    email,
    invitedAs,
    inviterId: creatorId,
    groupIds,
    joining: {
      stream_ids: channelIds,
      inviter_id: creatorId,
      with_default_streams: withDefaultChannels,
      notify_user_id: notifyCreator ? creatorId : null,
    },
  }
}
