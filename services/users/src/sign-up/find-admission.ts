import { type Joining, type RealmProjection, Role } from '@tms/contracts'
import { findPerson } from '../accounts/account.queries.ts'
import type { PrismaTx } from '../context.ts'
import { hashLinkKey } from '../credentials/link-key.ts'
import type { PrismaClient } from '../generated/prisma/client.ts'
import { findInvitationByKey, type OpenInvitation } from '../invitations/invitation.queries.ts'
import { findLinkById } from '../invitations/invitation-link.queries.ts'
import { findConfirmation } from './address-confirmation.queries.ts'

/** What the key in a mail lets its reader do: sign up with the address, in a role. */
export interface Admission {
  readonly email: string
  readonly invitedAs: number
  readonly joining: Joining
  /** Who invited them by mail; null for an address that came by a link, or by itself. */
  readonly inviterId: number | null
}

/** Null for a key that is unknown, used, revoked or expired. */
export async function findAdmission(
  db: PrismaClient | PrismaTx,
  realm: RealmProjection,
  key: string,
  now: Date,
): Promise<Admission | null> {
  const keyHash = hashLinkKey(key)
  const invitation = await findInvitationByKey(db, realm.realm_id, keyHash, now)
  if (invitation) return heldTo(db, realm, invitation.creatorId, admissionOf(invitation))

  const confirmation = await findConfirmation(db, realm.realm_id, keyHash, now)
  if (!confirmation) return null
  const { email, linkId } = confirmation
  const link = linkId === null ? null : await findLinkById(db, linkId)
  if (link) {
    const { invitedAs, channelIds, withDefaultChannels } = link
    // Of those who come by a link its maker isn't told one by one.
    const joining = {
      stream_ids: channelIds,
      inviter_id: link.creatorId,
      with_default_streams: withDefaultChannels,
      notify_user_id: null,
    }
    return heldTo(db, realm, link.creatorId, { email, invitedAs, joining, inviterId: null })
  }
  if (realm.invite_required) return null
  return { email, invitedAs: Role.member, joining: uninvited, inviterId: null }
}

/** Nobody gets more power by an invitation than who invited them has by now. */
async function heldTo(
  db: PrismaClient | PrismaTx,
  realm: RealmProjection,
  creatorId: number,
  admission: Admission,
): Promise<Admission> {
  const creator = await findPerson(db, realm.realm_id, creatorId)
  return { ...admission, invitedAs: Math.max(admission.invitedAs, creator?.role ?? Role.member) }
}

/** Whom nobody invited joins the default channels. */
export const uninvited: Joining = { stream_ids: [], with_default_streams: true, notify_user_id: null }

function admissionOf(invitation: OpenInvitation): Admission {
  const { email, invitedAs, creatorId, channelIds, withDefaultChannels, notifyCreator } = invitation
  return {
    email,
    invitedAs,
    inviterId: creatorId,
    joining: {
      stream_ids: channelIds,
      inviter_id: creatorId,
      with_default_streams: withDefaultChannels,
      notify_user_id: notifyCreator ? creatorId : null,
    },
  }
}
