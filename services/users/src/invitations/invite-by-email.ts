import {
  badRequest,
  type endpoints,
  type InvitationChange,
  limits,
  type RealmProjection,
} from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Account } from '../kernel/accounts/account.queries.ts'
import { lockActiveAccount } from '../kernel/accounts/lock-own-account.ts'
import { findPolicyFault } from '../kernel/addresses/new-address.rules.ts'
import { findTakenAddresses } from '../kernel/addresses/taken-addresses.ts'
import type { Context } from '../kernel/context.ts'
import type { PrismaTx } from '../kernel/database/prisma-tx.ts'
import { announceInvitations } from '../kernel/invitations/announce-invitations.ts'
import { checkChannels } from './check-channels.ts'
import { checkGroups } from './check-groups.ts'
import { claimDailyLimit } from './daily-limit.ts'
import { type InvitationTerms, insertInvitations } from './invitation.queries.ts'
import { isTooNewToInvite } from './invitation.rules.ts'
import { type InviteeFault, invitationFailedError } from './invitation-failed.ts'
import { mailInvitations, scheduleReminders } from './invitation-mailing.ts'
import { parseInviteeEmails } from './invitee-emails.rules.ts'
import { prepareInvitation } from './prepare-invitation.ts'

/**
 * Invites people by mail. Checks in this order (API document, "Send invitations"): permission, role, no address,
 * channels, groups, then daily limit and addresses, both INVITATION_FAILED. That error also reports addresses that were
 * skipped while others were invited.
 */
export const handleInviteByEmail: Handler<typeof endpoints.users.inviteByEmail, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const {
    inviter,
    realm,
    terms: baseTerms,
  } = await prepareInvitation(context, caller, input, 'can_invite_users_group')
  if (input.invitee_emails === '') throw badRequest('Name at least one e-mail address')
  await checkChannels(context, inviter, baseTerms.channelIds, requestId)
  await checkGroups(context, caller, baseTerms.groupIds)
  const emails = parseInviteeEmails(input.invitee_emails)
  if (emails.length > limits.maxInvitees)
    throw badRequest(`At most ${limits.maxInvitees} people can be invited at once`)
  if (emails.length === 0) return {}

  const terms = { ...baseTerms, notifyCreator: input.notify_referrer_on_join ?? true }
  const passedOver = await context.transact(async (tx) => {
    await lockActiveAccount(tx, caller)
    return invite(tx, context, { inviter, realm, emails, terms }, requestId)
  })
  if (passedOver.length > 0) {
    const message = 'Some of these people have an account already; the others were invited'
    throw invitationFailedError(message, { errors: passedOver, isSent: true })
  }
  return {}
}

/** Invites the valid addresses and returns the skipped ones. Throws INVITATION_FAILED if nobody is invited. */
async function invite(
  tx: PrismaTx,
  context: Context,
  {
    inviter,
    realm,
    emails,
    terms,
  }: {
    inviter: Account
    realm: RealmProjection
    emails: readonly string[]
    terms: InvitationTerms & { notifyCreator: boolean }
  },
  requestId: string,
): Promise<InviteeFault[]> {
  const limit = await claimDailyLimit(tx, realm.realm_id, emails.length, context)
  if (isTooNewToInvite(inviter, realm, context.invitationLimits.minAgeDays, terms.invitedAt))
    throw invitationFailedError('Your account is too new to invite others')

  const faults = emails.flatMap((email): InviteeFault[] => {
    const fault = findPolicyFault(email, realm)
    return fault === null ? [] : [[email, fault, false]]
  })
  const isFaulty = new Set(faults.map(([email]) => email))
  const valid = emails.filter((email) => !isFaulty.has(email))
  const taken = await findTakenAddresses(tx, realm, valid)
  const passedOver = [...taken].map(
    ([email, { isDeactivated }]): InviteeFault => [
      email,
      isDeactivated ? 'The account with this address is deactivated' : 'This address has an account already',
      isDeactivated,
    ],
  )
  if (faults.length > 0)
    throw invitationFailedError('Some addresses cannot be invited, so nobody was', {
      errors: [...faults, ...passedOver],
    })
  const invited = valid.filter((email) => !taken.has(email))
  if (invited.length === 0)
    throw invitationFailedError('All these people have an account already', { errors: passedOver })

  const invitations = await insertInvitations(tx, invited, terms)
  await mailInvitations(tx, invitations, { realm, inviterName: inviter.fullName })
  await scheduleReminders(tx, invitations, terms.invitedAt)
  await limit.count(invited.length)
  const change: InvitationChange = {
    change: 'sent',
    type: 'invitation',
    ids: invitations.map(({ id }) => id),
    role: terms.invitedAs,
    channel_ids: [...terms.channelIds],
  }
  // If addresses were skipped the call fails, and clients fetch the list again by themselves.
  const changed = { creatorIds: [inviter.id], changes: [change], isAnnounced: passedOver.length === 0 }
  await announceInvitations(tx, realm.realm_id, changed, requestId)
  return passedOver
}
