import { z } from 'zod'
import { limits } from '../limits.ts'

const idList = z.array(z.int()).max(limits.maxListLength)

/**
 * Who may do something with a group: the members of a group, or those listed here with the members of these groups.
 * Members of subgroups always count.
 */
export const groupPermission = z.union([
  z.int(),
  z.object({ direct_members: idList, direct_subgroups: idList }),
])
export type GroupPermission = z.output<typeof groupPermission>

/** A user group as clients see it. */
export const userGroup = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  /** Direct members, by ID. */
  members: z.array(z.int()),
  direct_subgroup_ids: z.array(z.int()),
  /** One of the groups that every organization has, which nobody changes: membership follows from the role. */
  is_system_group: z.boolean(),
  can_mention_group: groupPermission,
})
export type UserGroup = z.output<typeof userGroup>

/** What other services keep of a group that people made; `version` as in `userProjection`. */
export const userGroupProjection = z.object({
  group_id: z.int(),
  realm_id: z.int(),
  name: z.string(),
  member_ids: z.array(z.int()),
  subgroup_ids: z.array(z.int()),
  can_mention_group: groupPermission,
  /** Facts of a group that is gone are its last. */
  is_deleted: z.boolean(),
  version: z.int(),
})
export type UserGroupProjection = z.output<typeof userGroupProjection>

/** Members of one group. */
export const groupMembers = z.object({ group_id: z.int(), user_ids: z.array(z.int()) })
export type GroupMembers = z.output<typeof groupMembers>
