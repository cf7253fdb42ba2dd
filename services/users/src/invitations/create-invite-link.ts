import { badRequest, type endpoints, Role } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { lockActiveAccount } from '../accounts/lock-own-account.ts'
import type { Context } from '../context.ts'
import { createLinkKey } from '../credentials/link-key.ts'
import { announceInvitations } from './announce-invitations.ts'
import { checkChannels } from './check-channels.ts'
import { getInviter } from './get-inviter.ts'
import { checkInvitedRole, expiryOf, mayCreateLinks } from './invitation.rules.ts'
import { insertLink } from './invitation-link.queries.ts'
import { linkUrlOf } from './link-url.ts'

/**
 * Makes a link that lets in whoever has it. Refusals in this order: permission, role, channels (API document, "Create
 * a reusable invitation link").
 */
export const handleCreateInviteLink: Handler<typeof endpoints.users.createInviteLink, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const { inviter, realm } = await getInviter(context, caller)
  const now = context.now()
  if (!mayCreateLinks(inviter, realm, now)) throw badRequest('Insufficient permission')
  const invitedAs = input.invite_as ?? Role.member
  checkInvitedRole(invitedAs, inviter)
  const channelIds = [...new Set(input.stream_ids ?? [])]
  await checkChannels(context, inviter, channelIds, requestId)

  const key = createLinkKey()
  await context.transact(async (tx) => {
    await lockActiveAccount(tx, caller)
    await insertLink(tx, key, {
      realmId: realm.realm_id,
      creatorId: inviter.id,
      invitedAs,
      channelIds,
      withDefaultChannels: input.include_realm_default_subscriptions ?? false,
      invitedAt: now,
      expiresAt: expiryOf(input.invite_expires_in_minutes, context.invitationLimits.validityMinutes, now),
    })
    await announceInvitations(tx, realm.realm_id, [inviter.id], requestId)
  })
  return { invite_link: linkUrlOf(realm, key) }
}
