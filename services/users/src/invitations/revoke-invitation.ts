import { badRequest, type endpoints } from '@tms/contracts'
import type { Caller, Handler } from '@tms/service-kit'
import { canBeId } from '../accounts/account.queries.ts'
import { lockActiveAccount } from '../accounts/lock-own-account.ts'
import type { Context, PrismaTx } from '../context.ts'
import { announceInvitations } from './announce-invitations.ts'
import { endInvitations } from './end-invitations.ts'
import { lockInvitation, type OpenInvitation } from './invitation.queries.ts'
import { checkMayManage, isInvitingHuman, noSuchInvitation } from './invitation.rules.ts'
import { deleteLinks, lockLink } from './invitation-link.queries.ts'

/** Ends an invitation. Throws BAD_REQUEST for one that is unknown, over, or someone else's. */
export const handleRevokeInvitation: Handler<typeof endpoints.users.revokeInvitation, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  await context.transact(async (tx) => {
    const { id, creatorId } = await getManagedInvitation(tx, input.invite_id, caller, context.now())
    await endInvitations(tx, { ids: [id] })
    await announceInvitations(tx, caller.realmId, [creatorId], requestId)
  })
  return {}
}

/** Ends a reusable link, for those as well who have confirmed an address by it. Throws as revoking an invitation does. */
export const handleRevokeInvitationLink: Handler<
  typeof endpoints.users.revokeInvitationLink,
  Context
> = async ({ input, caller, context, requestId }) => {
  await context.transact(async (tx) => {
    const manager = await lockManager(tx, caller)
    const id = input.invite_id
    const link = canBeId(id) ? await lockLink(tx, caller.realmId, id, context.now()) : null
    if (!link) throw noSuchInvitation()
    checkMayManage(link, { userId: manager.id, role: manager.role })
    await deleteLinks(tx, { id })
    await announceInvitations(tx, caller.realmId, [link.creatorId], requestId)
  })
  return {}
}

/** The open invitation, locked, if the caller may take it back or repeat it. Throws BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export async function getManagedInvitation(
  tx: PrismaTx,
  id: number,
  caller: Caller,
  now: Date,
): Promise<OpenInvitation> {
  const manager = await lockManager(tx, caller)
  const invitation = canBeId(id) ? await lockInvitation(tx, { id, realmId: caller.realmId }, now) : null
  if (!invitation) throw noSuchInvitation()
  checkMayManage(invitation, { userId: manager.id, role: manager.role })
  return invitation
}

async function lockManager(tx: PrismaTx, caller: Caller) {
  const manager = await lockActiveAccount(tx, caller)
  if (!isInvitingHuman(manager)) throw badRequest('Insufficient permission')
  return manager
}
