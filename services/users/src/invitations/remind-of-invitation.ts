import { findAccount } from '../kernel/accounts/account.queries.ts'
import type { Context } from '../kernel/context.ts'
import type { Jobs } from '../kernel/jobs/jobs.ts'
import { lockInvitation } from './invitation.queries.ts'
import { mailReminder } from './invitation-mailing.ts'

/** Mails a reminder if the invitation is still open. */
export async function remindOfInvitation(
  context: Pick<Context, 'transact' | 'realms' | 'now'>,
  { invitation_id }: Jobs['remind_of_invitation'],
): Promise<void> {
  await context.transact(async (tx) => {
    const invitation = await lockInvitation(tx, { id: invitation_id, realmId: null }, context.now())
    if (!invitation) return
    const [creator, realm] = await Promise.all([
      findAccount(tx, invitation.realmId, invitation.creatorId),
      context.realms.findById(invitation.realmId),
    ])
    if (creator && realm?.is_active)
      await mailReminder(tx, invitation, { realm, inviterName: creator.fullName })
  })
}
