import { badRequest, type RealmProjection, Role } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Person } from '../accounts/account.queries.ts'
import type { Context } from '../context.ts'
import { getInviter } from './get-inviter.ts'
import type { InvitationTerms } from './invitation.queries.ts'
import { checkInvitedRole, expiryOf } from './invitation.rules.ts'

/** What every way to invite is asked for. */
interface Asked {
  readonly invite_as?: number | undefined
  readonly stream_ids?: readonly number[] | undefined
  readonly include_realm_default_subscriptions?: boolean | undefined
  readonly invite_expires_in_minutes?: number | null | undefined
}

/** Who invites, where, and to what; the channels aren't checked yet. */
interface Inviting {
  readonly inviter: Person
  readonly realm: RealmProjection
  readonly terms: InvitationTerms
}

/** Throws BAD_REQUEST for who may not invite in this way, and BAD_REQUEST or UNAUTHORIZED_PRINCIPAL for the role. */
export async function beginInviting(
  context: Pick<Context, 'prisma' | 'realms' | 'invitationLimits' | 'now'>,
  caller: Caller,
  asked: Asked,
  mayInvite: (inviter: Person, realm: RealmProjection, now: Date) => boolean,
): Promise<Inviting> {
  const { inviter, realm } = await getInviter(context, caller)
  const invitedAt = context.now()
  if (!mayInvite(inviter, realm, invitedAt)) throw badRequest('Insufficient permission')
  const invitedAs = asked.invite_as ?? Role.member
  checkInvitedRole(invitedAs, inviter)
  const { validityMinutes } = context.invitationLimits
  const terms = {
    realmId: realm.realm_id,
    creatorId: inviter.id,
    invitedAs,
    channelIds: [...new Set(asked.stream_ids ?? [])],
    withDefaultChannels: asked.include_realm_default_subscriptions ?? false,
    invitedAt,
    expiresAt: expiryOf(asked.invite_expires_in_minutes, validityMinutes, invitedAt),
  }
  return { inviter, realm, terms }
}
