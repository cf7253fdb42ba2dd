import {
  badRequest,
  type GroupPermission,
  type PolicySubject,
  type RealmProjection,
  systemGroupIds,
} from '@tms/contracts'
import type { Queryable } from '@tms/service-kit'
import type { Rendered } from '../rendering/render-markdown.ts'
import { isInAny } from './group-membership.ts'
import { findWithin, listKnownGroups, listMembersAt } from './known-group.queries.ts'
import { roleReachOf } from './role-reach.rules.ts'

interface Mentioning {
  readonly senderId: number
  readonly standing: PolicySubject
  readonly realm: RealmProjection
  readonly rendered: Pick<Rendered, 'mentionedUserIds' | 'mentionedGroupIds'>
  /** Where the message goes; `channelId` is null for a conversation. */
  readonly place: { readonly channelId: number | null; readonly recipientId: number }
  readonly now: Date
}

/**
 * Everyone whom a text mentions, by name or by a group in which they are, directly or through groups within it. Of
 * a group's members only those who may get the message: a group that is larger than the place costs no more than the
 * place. Costs nothing without such a mention. Throws BAD_REQUEST for a group that the sender may not mention.
 */
export async function listMentioned(db: Queryable, mentioning: Mentioning): Promise<number[]> {
  const { mentionedUserIds, mentionedGroupIds } = mentioning.rendered
  if (mentionedGroupIds.length === 0) return mentionedUserIds
  const { senderId, standing, realm, place, now } = mentioning
  for (const group of await listKnownGroups(db, mentionedGroupIds)) {
    if (!(await isPermitted(db, group.canMention, senderId, standing))) {
      throw badRequest(`You are not allowed to mention the user group '${group.name}'`)
    }
  }
  const within = await findWithin(db, mentionedGroupIds, [senderId])
  const members = await listMembersAt(db, mentionedGroupIds, place, roleReachOf(within.groupIds, realm, now))
  return [...new Set([...mentionedUserIds, ...members])]
}

async function isPermitted(
  db: Queryable,
  permission: GroupPermission,
  userId: number,
  standing: PolicySubject,
): Promise<boolean> {
  if (permission === systemGroupIds['role:everyone']) return true
  const { direct_members, direct_subgroups } =
    typeof permission === 'number' ? { direct_members: [], direct_subgroups: [permission] } : permission
  return direct_members.includes(userId) || isInAny(db, direct_subgroups, [{ userId, standing }])
}
