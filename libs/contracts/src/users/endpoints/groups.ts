import { z } from 'zod'
import { endpoint } from '../../declarations/endpoint.ts'
import { limits } from '../../declarations/limits.ts'
import {
  json,
  optionalJson,
  optionalText,
  type Parameter,
  pathId,
  text,
} from '../../declarations/parameter.ts'
import {
  type GroupSettingChange,
  type GroupSettingValue,
  groupSettingChange,
  groupSettingValue,
} from '../../permissions/group-setting-value.ts'
import {
  describeAcceptedGroups,
  type GroupPermission,
  groupPermissionNames,
  groupPermissions,
} from '../../permissions/permission-settings.ts'
import { userGroup } from '../groups.ts'

const idList = z.array(z.int()).max(limits.maxListLength)

/** What each permission on a group is about. */
const purposes: Readonly<Record<GroupPermission, string>> = {
  can_add_members_group: 'Who may add members and subgroups, and join.',
  can_join_group: 'Who may join.',
  can_leave_group: 'Who may leave.',
  can_manage_group: 'Who may change everything about the group, members and permissions included.',
  can_mention_group: 'Who may mention it.',
  can_remove_members_group: 'Who may remove members and subgroups, and leave.',
}

/** A parameter for every permission on a group. */
const forEachPermission = <T>(
  of: (description: string) => Parameter<T, false>,
): Record<GroupPermission, Parameter<T, false>> =>
  Object.fromEntries(
    groupPermissionNames.map((name) => [
      name,
      of(`${purposes[name]} ${describeAcceptedGroups(groupPermissions[name])}`),
    ]),
  ) as Record<GroupPermission, Parameter<T, false>>

const directMembersOnly = optionalJson(z.boolean(), {
  description: 'Leaves out users who are only in subgroups. Default false.',
})

export const createUserGroup = endpoint({
  name: 'createUserGroup',
  owner: 'users',
  method: 'POST',
  path: '/user_groups/create',
  auth: 'user',
  summary: 'Create a user group',
  parameters: {
    name: text(z.string(), {
      description: 'At most 100 characters; unique, ignoring case.',
    }),
    description: text(z.string(), { description: 'May be empty.' }),
    members: json(idList, { description: 'User IDs. The creator is a member only if named here.' }),
    subgroups: optionalJson(idList, { description: 'IDs of groups within the group.' }),
    ...forEachPermission<GroupSettingValue>((description) =>
      optionalJson(groupSettingValue, { description }),
    ),
  },
  response: z.object({ group_id: z.int() }),
})

export const listUserGroups = endpoint({
  name: 'listUserGroups',
  owner: 'users',
  method: 'GET',
  path: '/user_groups',
  auth: 'user',
  summary: 'List the user groups of the organization',
  parameters: {
    include_deactivated_groups: optionalJson(z.boolean(), { description: 'Default false.' }),
  },
  response: z.object({ user_groups: z.array(userGroup) }),
})

export const updateUserGroup = endpoint({
  name: 'updateUserGroup',
  owner: 'users',
  method: 'PATCH',
  path: '/user_groups/{user_group_id}',
  auth: 'user',
  summary: 'Change a user group',
  pathParameters: { user_group_id: pathId },
  parameters: {
    name: optionalText(z.string()),
    description: optionalText(z.string()),
    ...forEachPermission<GroupSettingChange>((description) =>
      optionalJson(groupSettingChange, {
        description: `${description} Alone or as \`{"new": …, "old": …}\`, which changes only that old value.`,
      }),
    ),
  },
  response: z.object({}),
  errors: ['EXPECTATION_MISMATCH'],
})

export const deactivateUserGroup = endpoint({
  name: 'deactivateUserGroup',
  owner: 'users',
  method: 'POST',
  path: '/user_groups/{user_group_id}/deactivate',
  auth: 'user',
  summary: 'Deactivate a user group that is not in use',
  pathParameters: { user_group_id: pathId },
  response: z.object({}),
  errors: ['CANNOT_DEACTIVATE_GROUP_IN_USE'],
})

export const removeUserGroup = endpoint({
  name: 'removeUserGroup',
  owner: 'users',
  method: 'DELETE',
  path: '/user_groups/{user_group_id}',
  auth: 'user',
  summary: 'Deactivate a user group, and remove it from the groups that contain it',
  pathParameters: { user_group_id: pathId },
  response: z.object({}),
})

export const updateUserGroupMembers = endpoint({
  name: 'updateUserGroupMembers',
  owner: 'users',
  method: 'POST',
  path: '/user_groups/{user_group_id}/members',
  auth: 'user',
  summary: 'Add members and subgroups to a user group, and remove others',
  pathParameters: { user_group_id: pathId },
  parameters: {
    add: optionalJson(idList, { description: 'User IDs. All are added and removed, or none.' }),
    delete: optionalJson(idList, { description: 'User IDs.' }),
    add_subgroups: optionalJson(idList, { description: 'Group IDs.' }),
    delete_subgroups: optionalJson(idList, { description: 'Group IDs.' }),
  },
  response: z.object({}),
})

export const listUserGroupMembers = endpoint({
  name: 'listUserGroupMembers',
  owner: 'users',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members',
  auth: 'user',
  summary: 'List the members of a user group',
  pathParameters: { user_group_id: pathId },
  parameters: { direct_member_only: directMembersOnly },
  response: z.object({ members: z.array(z.int()) }),
})

export const isUserGroupMember = endpoint({
  name: 'isUserGroupMember',
  owner: 'users',
  method: 'GET',
  path: '/user_groups/{user_group_id}/members/{user_id}',
  auth: 'user',
  summary: 'Get whether a user is in a user group',
  pathParameters: { user_group_id: pathId, user_id: pathId },
  parameters: { direct_member_only: directMembersOnly },
  response: z.object({ is_user_group_member: z.boolean() }),
})

export const updateUserGroupSubgroups = endpoint({
  name: 'updateUserGroupSubgroups',
  owner: 'users',
  method: 'POST',
  path: '/user_groups/{user_group_id}/subgroups',
  auth: 'user',
  summary: 'Add groups to a user group, and remove others',
  pathParameters: { user_group_id: pathId },
  parameters: {
    add: optionalJson(idList, { description: 'Group IDs. All are added and removed, or none.' }),
    delete: optionalJson(idList, { description: 'Group IDs.' }),
  },
  response: z.object({}),
})

export const listUserGroupSubgroups = endpoint({
  name: 'listUserGroupSubgroups',
  owner: 'users',
  method: 'GET',
  path: '/user_groups/{user_group_id}/subgroups',
  auth: 'user',
  summary: 'List the groups within a user group',
  pathParameters: { user_group_id: pathId },
  parameters: {
    direct_subgroup_only: optionalJson(z.boolean(), {
      description: 'Leaves out subgroups of subgroups. Default false.',
    }),
  },
  response: z.object({ subgroups: z.array(z.int()) }),
})
