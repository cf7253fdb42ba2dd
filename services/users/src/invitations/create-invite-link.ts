import type { endpoints, InvitationChange } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { lockActiveAccount } from '../kernel/accounts/lock-own-account.ts'
import type { Context } from '../kernel/context.ts'
import { createLinkKey } from '../kernel/credentials/link-key.ts'
import { announceInvitations } from '../kernel/invitations/announce-invitations.ts'
import { checkChannels } from './check-channels.ts'
import { checkGroups } from './check-groups.ts'
import { insertLink } from './invitation-link.queries.ts'
import { linkUrlOf } from './link-url.ts'
import { prepareInvitation } from './prepare-invitation.ts'

/**
 * Creates a reusable invitation link. Checks in this order: permission, role, channels, groups (API document, "Create
 * a reusable invitation link").
 */
export const handleCreateInviteLink: Handler<typeof endpoints.users.createInviteLink, Context> = async ({
  input,
  caller,
  context,
  requestId,
}) => {
  const { inviter, realm, terms } = await prepareInvitation(
    context,
    caller,
    input,
    'create_multiuse_invite_group',
  )
  await checkChannels(context, inviter, terms.channelIds, requestId)
  await checkGroups(context, caller, terms.groupIds)

  const key = createLinkKey()
  await context.transact(async (tx) => {
    await lockActiveAccount(tx, caller)
    const id = await insertLink(tx, key, terms)
    const change: InvitationChange = {
      change: 'sent',
      type: 'invitation_link',
      ids: [id],
      role: terms.invitedAs,
      channel_ids: [...terms.channelIds],
    }
    await announceInvitations(tx, realm.realm_id, { creatorIds: [inviter.id], changes: [change] }, requestId)
  })
  return { invite_link: linkUrlOf(realm, key) }
}
