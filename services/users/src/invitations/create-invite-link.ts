import type { endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { lockActiveAccount } from '../accounts/lock-own-account.ts'
import type { Context } from '../context.ts'
import { createLinkKey } from '../credentials/link-key.ts'
import { announceInvitations } from './announce-invitations.ts'
import { beginInviting } from './begin-inviting.ts'
import { checkChannels } from './check-channels.ts'
import { mayCreateLinks } from './invitation.rules.ts'
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
  const { inviter, realm, terms } = await beginInviting(context, caller, input, mayCreateLinks)
  await checkChannels(context, inviter, terms.channelIds, requestId)

  const key = createLinkKey()
  await context.transact(async (tx) => {
    await lockActiveAccount(tx, caller)
    await insertLink(tx, key, terms)
    await announceInvitations(tx, realm.realm_id, [inviter.id], requestId)
  })
  return { invite_link: linkUrlOf(realm, key) }
}
