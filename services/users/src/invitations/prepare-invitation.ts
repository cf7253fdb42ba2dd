import { badRequest, type RealmProjection, Role } from '@tms/contracts'
import type { Caller } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { findRealmPermissions } from '../kernel/groups/group-membership.ts'
import { getInviter } from './get-inviter.ts'
import type { InvitationTerms } from './invitation.queries.ts'
import { canUseInvitations, checkInvitedRole, expiryOf } from './invitation.rules.ts'

/** Parameters that all ways to invite share. */
interface InvitationInput {
  readonly invite_as?: number | undefined
  readonly stream_ids?: readonly number[] | undefined
  readonly include_realm_default_subscriptions?: boolean | undefined
  readonly group_ids?: readonly number[] | undefined
  readonly invite_expires_in_minutes?: number | null | undefined
}

/** Inviter, organization and terms; the channels aren't checked yet. */
interface PreparedInvitation {
  readonly inviter: Account
  readonly realm: RealmProjection
  readonly terms: InvitationTerms
}

/** Throws BAD_REQUEST if the caller may not invite, and BAD_REQUEST or UNAUTHORIZED_PRINCIPAL for the role. */
export async function prepareInvitation(
  context: Pick<Context, 'prisma' | 'db' | 'realms' | 'invitationLimits' | 'now'>,
  caller: Caller,
  input: InvitationInput,
  permission: 'can_invite_users_group' | 'create_multiuse_invite_group',
): Promise<PreparedInvitation> {
  const { inviter, realm } = await getInviter(context, caller)
  const invitedAt = context.now()
  const granted = await findRealmPermissions(context.db, realm, inviter, [permission], invitedAt)
  if (!canUseInvitations(inviter) || !granted[permission]) throw badRequest('Insufficient permission')
  const invitedAs = input.invite_as ?? Role.member
  checkInvitedRole(invitedAs, inviter)
  const { validityMinutes } = context.invitationLimits
  const terms = {
    realmId: realm.realm_id,
    creatorId: inviter.id,
    invitedAs,
    channelIds: [...new Set(input.stream_ids ?? [])],
    groupIds: [...new Set(input.group_ids ?? [])],
    withDefaultChannels: input.include_realm_default_subscriptions ?? false,
    invitedAt,
    expiresAt: expiryOf(input.invite_expires_in_minutes, validityMinutes, invitedAt),
  }
  return { inviter, realm, terms }
}
