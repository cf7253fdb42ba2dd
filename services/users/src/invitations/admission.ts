import { type Joining, type RealmProjection, Role } from '@tms/contracts'
import type { InvitationLink } from '../generated/prisma/client.ts'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import type { PrismaDb } from '../kernel/database/prisma-tx.ts'
import { findInvitationByAddress, type OpenInvitation } from './invitation.queries.ts'

/** What a mailed key, or an invitation to a proven address, allows: joining with that address, in a role. */
export interface Admission {
  readonly email: string
  readonly invitedAs: number
  readonly joining: Joining
  /** Custom groups that the user joins. */
  readonly groupIds: readonly number[]
  /** The sender of a mailed invitation; null for a link or an open organization. */
  readonly inviterId: number | null
}

/** What the newest open invitation to an address allows a user who has proven to have it; null if there is none. */
export async function findAdmissionByAddress(
  db: PrismaDb,
  realm: RealmProjection,
  foldedEmail: string,
  now: Date,
): Promise<Admission | null> {
  const invitation = await findInvitationByAddress(db, realm.realm_id, foldedEmail, now)
  return invitation && limitToInviterRole(db, realm, invitation.creatorId, admissionOf(invitation))
}

/** What a reusable link allows. Its creator isn't notified of each user. */
export function admissionOfLink(
  db: PrismaDb,
  realm: RealmProjection,
  { invitedAs, channelIds, groupIds, withDefaultChannels, creatorId }: InvitationLink,
  email: string,
): Promise<Admission> {
  const joining = {
    stream_ids: channelIds,
    inviter_id: creatorId,
    with_default_streams: withDefaultChannels,
    notify_user_id: null,
  }
  return limitToInviterRole(db, realm, creatorId, { email, invitedAs, joining, groupIds, inviterId: null })
}

/** An invited role never exceeds the inviter's current power. */
export async function limitToInviterRole(
  db: PrismaDb,
  realm: RealmProjection,
  creatorId: number,
  admission: Admission,
): Promise<Admission> {
  const creator = await findAccount(db, realm.realm_id, creatorId)
  return { ...admission, invitedAs: Math.max(admission.invitedAs, creator?.role ?? Role.member) }
}

export function admissionOf(invitation: OpenInvitation): Admission {
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
