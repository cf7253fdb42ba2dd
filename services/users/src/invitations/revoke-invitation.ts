import { badRequest, type endpoints, type InvitationChange } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { lockActiveAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { canBeId } from '../kernel/database/column-limits.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { announceInvitations } from '../kernel/invitations/announce-invitations.ts'
import { endInvitations } from '../kernel/invitations/end-invitations.ts'
import { deleteLinks } from '../kernel/invitations/ended-invitation.queries.ts'
import { lockInvitation, type OpenInvitation } from './invitation.queries.ts'
import { canUseInvitations, checkMayManage, noSuchInvitationError } from './invitation.rules.ts'
import { lockLink } from './invitation-link.queries.ts'

/** Revokes an invitation. Throws BAD_REQUEST if it is unknown, closed, or not manageable by the caller. */
export const handleRevokeInvitation: Handler<typeof endpoints.users.revokeInvitation, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  await context.transact(async (tx) => {
    const { id, creatorId } = await lockManagedInvitation(tx, input.invite_id, caller, context.now())
    await endInvitations(tx, { ids: [id] })
    const change: InvitationChange = { change: 'revoked', type: 'invitation', ids: [id] }
    await announceInvitations(tx, caller.realmId, { creatorIds: [creatorId], changes: [change] }, requestId)
  })
  return {}
}

/** Revokes a reusable link, also for addresses confirmed through it. Throws like revoking an invitation. */
export const handleRevokeInvitationLink: Handler<
  typeof endpoints.users.revokeInvitationLink,
  Context
> = async ({ input, caller, context, requestId }) => {
  await context.transact(async (tx) => {
    const manager = await lockManager(tx, caller)
    const id = input.invite_id
    const link = canBeId(id) ? await lockLink(tx, caller.realmId, id, context.now()) : null
    if (!link) throw noSuchInvitationError()
    checkMayManage(link, { userId: manager.id, role: manager.role })
    await deleteLinks(tx, { id })
    const change: InvitationChange = { change: 'revoked', type: 'invitation_link', ids: [id] }
    const changed = { creatorIds: [link.creatorId], changes: [change] }
    await announceInvitations(tx, caller.realmId, changed, requestId)
  })
  return {}
}

/** Locks an open invitation that the caller may revoke or resend. Throws BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function lockManagedInvitation(
  tx: PrismaTx,
  id: number,
  caller: Caller,
  now: Date,
): Promise<OpenInvitation> {
  const manager = await lockManager(tx, caller)
  const invitation = canBeId(id) ? await lockInvitation(tx, { id, realmId: caller.realmId }, now) : null
  if (!invitation) throw noSuchInvitationError()
  checkMayManage(invitation, { userId: manager.id, role: manager.role })
  return invitation
}

async function lockManager(tx: PrismaTx, caller: Caller) {
  const manager = await lockActiveAccount(tx, caller)
  if (!canUseInvitations(manager)) throw badRequest('Insufficient permission')
  return manager
}
