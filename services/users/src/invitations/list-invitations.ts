import { badRequest, type endpoints, Role } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { getInviter } from './get-inviter.ts'
import { type InvitationTerms, listOpenInvitations } from './invitation.queries.ts'
import { canUseInvitations } from './invitation.rules.ts'
import { listOpenLinks } from './invitation-link.queries.ts'
import { linkUrlOf } from './link-url.ts'

/**
 * Open invitations and links: all for administrators, else the caller's own. Throws BAD_REQUEST for guests and bots.
 */
export const handleListInvitations: Handler<typeof endpoints.users.listInvitations, Context> = async ({
  caller,
  context,
}) => {
  const { inviter, realm } = await getInviter(context, caller)
  if (!canUseInvitations(inviter)) throw badRequest('Insufficient permission')
  const creatorId = inviter.role <= Role.administrator ? null : inviter.id
  const [invitations, links] = await Promise.all([
    listOpenInvitations(context.prisma, realm.realm_id, creatorId, context.now()),
    listOpenLinks(context.prisma, realm.realm_id, creatorId, context.now()),
  ])
  return {
    invites: [
      ...invitations.map((invitation) => ({
        ...recordOf(invitation),
        is_multiuse: false as const,
        email: invitation.email,
        notify_referrer_on_join: invitation.notifyCreator,
      })),
      ...links.map((link) => ({
        ...recordOf(link),
        is_multiuse: true as const,
        link_url: linkUrlOf(realm, link.key),
      })),
    ],
  }
}

function recordOf({
  id,
  creatorId,
  invitedAs,
  invitedAt,
  expiresAt,
}: InvitationTerms & { readonly id: number }) {
  return {
    id,
    invited_by_user_id: creatorId,
    invited: toSeconds(invitedAt),
    expiry_date: expiresAt && toSeconds(expiresAt),
    invited_as: invitedAs,
  }
}

const toSeconds = (date: Date): number => Math.floor(date.getTime() / 1000)
