import { z } from 'zod'
import { groupSettingValue } from '../permissions/group-setting-value.ts'
import { type GroupPermission, groupPermissionNames } from '../permissions/permission-settings.ts'

/** The value of each permission on a user group. */
export const groupPermissionValues = Object.fromEntries(
  groupPermissionNames.map((name) => [name, groupSettingValue]),
) as Record<GroupPermission, typeof groupSettingValue>

/** A user group as clients see it. */
export const userGroup = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  /** The user who created it; null for system groups, and if that isn't known. */
  creator_id: z.int().nullable(),
  /** UNIX seconds; null as `creator_id`. */
  date_created: z.int().nullable(),
  /** Direct members, by ID. */
  members: z.array(z.int()),
  direct_subgroup_ids: z.array(z.int()),
  /** Whether it is a system group, which nobody can change: membership follows from the role. */
  is_system_group: z.boolean(),
  /** A deactivated group can't be mentioned, gives no permission, and keeps its name. */
  deactivated: z.boolean(),
  ...groupPermissionValues,
})
export type UserGroup = z.output<typeof userGroup>

/** What other services project of a custom group; `version` as in `userProjection`. */
export const userGroupProjection = z.object({
  group_id: z.int(),
  realm_id: z.int(),
  name: z.string(),
  member_ids: z.array(z.int()),
  subgroup_ids: z.array(z.int()),
  can_mention_group: groupSettingValue,
  /** Missing in records of the release before. */
  is_deactivated: z.boolean().optional(),
  /** The projection of a deleted group is its last one. */
  is_deleted: z.boolean(),
  version: z.int(),
})
export type UserGroupProjection = z.output<typeof userGroupProjection>

/** Members of one group. */
export const groupMembers = z.object({ group_id: z.int(), user_ids: z.array(z.int()) })
export type GroupMembers = z.output<typeof groupMembers>
