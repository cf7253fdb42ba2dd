import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import { claimDailyLimit } from './daily-limit.ts'
import { getInviter } from './get-inviter.ts'
import { deleteInvitationKeys, setInvitedAt } from './invitation.queries.ts'
import { mailInvitations } from './invitation-mailing.ts'
import { lockManagedInvitation } from './revoke-invitation.ts'

/**
 * Mails an invitation again with a new key, which voids earlier ones, and the same expiry. Counts against the daily
 * limit (INVITATION_FAILED). Throws BAD_REQUEST like revoking.
 */
export const handleResendInvitation: Handler<typeof endpoints.users.resendInvitation, Context> = async ({
  input,
  caller,
  context,
}) => {
  const { realm } = await getInviter(context, caller)
  const now = context.now()
  await context.transact(async (tx) => {
    const invitation = await lockManagedInvitation(tx, input.invite_id, caller, now)
    const creator = await findAccount(tx, caller.realmId, invitation.creatorId)
    if (!creator) throw badRequest('No such invitation')
    const limit = await claimDailyLimit(tx, caller.realmId, 1, context)
    await deleteInvitationKeys(tx, invitation.id)
    await mailInvitations(tx, [invitation], { realm, inviterName: creator.fullName })
    await setInvitedAt(tx, invitation.id, now)
    await limit.count(1)
  })
  return { timestamp: Math.floor(now.getTime() / 1000) }
}
