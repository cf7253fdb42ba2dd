import { badRequest, groupPermissions, type PolicySubject, type RealmProjection } from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Rendered } from '../rendering/renderer.ts'
import { findSubgroups, listKnownGroups, listRecipientsInGroups } from './known-group.queries.ts'
import { isAnyPermitted } from './permissions.ts'
import { roleBoundsOf } from './role-bounds.rules.ts'

interface MentionContext {
  readonly senderId: number
  readonly policySubject: PolicySubject
  readonly realm: RealmProjection
  readonly rendered: Pick<Rendered, 'mentionedUserIds' | 'mentionedGroupIds'>
  /** Where the message is posted; `channelId` is null for a conversation. */
  readonly target: { readonly channelId: number | null; readonly recipientId: number }
  readonly now: Date
}

/**
 * All mentioned users: by name, or by a group that they are in, directly or through subgroups. Of a group's members
 * only those who may receive the message, so a group larger than the audience costs no more than the audience. Costs
 * nothing without a group mention. Throws BAD_REQUEST for a group that the sender may not mention.
 */
export async function listMentioned(db: Queryable, mentioning: MentionContext): Promise<number[]> {
  const { mentionedUserIds, mentionedGroupIds } = mentioning.rendered
  if (mentionedGroupIds.length === 0) return mentionedUserIds
  const { senderId, policySubject, realm, target, now } = mentioning
  const sender = { userId: senderId, policySubject }
  for (const group of await listKnownGroups(db, mentionedGroupIds)) {
    if (!(await isAnyPermitted(db, groupPermissions.can_mention_group, group.canMention, [sender]))) {
      throw badRequest(`You are not allowed to mention the user group '${group.name}'`)
    }
  }
  const within = await findSubgroups(db, mentionedGroupIds, [senderId])
  const members = await listRecipientsInGroups(
    db,
    mentionedGroupIds,
    target,
    roleBoundsOf(within.groupIds, realm, now),
  )
  return [...new Set([...mentionedUserIds, ...members])]
}
