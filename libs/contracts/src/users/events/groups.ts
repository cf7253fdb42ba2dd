import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { groupMembers, groupPermissionValues, userGroup, userGroupProjection } from '../groups.ts'

const memberActions = {
  user_group_member_added: 'A user was added to a user group',
  user_group_member_removed: 'A user was removed from a user group',
} as const

export const userGroupCreated = domainEvent({
  name: 'users.user_group_created.v1',
  producer: 'users',
  summary: 'A user group was created',
  payload: z.object({ group: userGroup, projection: userGroupProjection }),
  audience: () => [{ kind: 'realm' }],
  audit: {
    actions: { user_group_created: 'A user group was created', ...memberActions },
    entries: ({ group: { id, members, date_created: _date, ...after } }) => [
      {
        action: 'user_group_created',
        target: { type: 'user_group', ids: [id] },
        details: { after: { ...after, members: members.length } },
      },
      { action: 'user_group_member_added', target: { type: 'user', ids: members }, groupId: id },
    ],
  },
})

export const userGroupUpdated = domainEvent({
  name: 'users.user_group_updated.v1',
  producer: 'users',
  summary: 'Name, description or permissions of a user group changed',
  payload: z.object({
    group_id: z.int(),
    /** Only the changed properties. */
    data: z.object({ name: z.string(), description: z.string(), ...groupPermissionValues }).partial(),
    /** The same properties before; absent in events of older releases. */
    before: z
      .object({ name: z.string(), description: z.string(), ...groupPermissionValues })
      .partial()
      .optional(),
    projection: userGroupProjection,
  }),
  audience: () => [{ kind: 'realm' }],
  audit: {
    actions: { user_group_updated: 'Name, description or permissions of a user group changed' },
    entries: ({ group_id, data, before }) => [
      {
        action: 'user_group_updated',
        target: { type: 'user_group', ids: [group_id] },
        details: { before: before ?? {}, after: data },
      },
    ],
  },
})

export const userGroupMembersChanged = domainEvent({
  name: 'users.user_group_members_changed.v1',
  producer: 'users',
  summary: 'Users were added to a user group, or removed from it',
  payload: z.object({
    group_id: z.int(),
    added_user_ids: z.array(z.int()),
    removed_user_ids: z.array(z.int()),
    /** The user who changed it; null for a directory and for provisioning, which send no notices. */
    actor_id: z.int().nullable(),
    projection: userGroupProjection,
  }),
  audience: () => [{ kind: 'realm' }],
  audit: {
    actions: memberActions,
    entries: ({ group_id: groupId, added_user_ids, removed_user_ids }) => [
      { action: 'user_group_member_added', target: { type: 'user', ids: added_user_ids }, groupId },
      { action: 'user_group_member_removed', target: { type: 'user', ids: removed_user_ids }, groupId },
    ],
  },
})

export const userGroupSubgroupsChanged = domainEvent({
  name: 'users.user_group_subgroups_changed.v1',
  producer: 'users',
  summary: 'Groups were added to a user group, or removed from it',
  payload: z.object({
    group_id: z.int(),
    added_group_ids: z.array(z.int()),
    removed_group_ids: z.array(z.int()),
    projection: userGroupProjection,
  }),
  audience: () => [{ kind: 'realm' }],
  audit: {
    actions: {
      subgroup_added: 'A group was added to a user group',
      subgroup_removed: 'A group was removed from a user group',
    },
    entries: ({ group_id: groupId, added_group_ids, removed_group_ids }) => [
      { action: 'subgroup_added', target: { type: 'user_group', ids: added_group_ids }, groupId },
      { action: 'subgroup_removed', target: { type: 'user_group', ids: removed_group_ids }, groupId },
    ],
  },
})

export const userGroupDeactivated = domainEvent({
  name: 'users.user_group_deactivated.v1',
  producer: 'users',
  summary: 'A user group was deactivated',
  payload: z.object({ group_id: z.int(), projection: userGroupProjection }),
  audience: () => [{ kind: 'realm' }],
  audit: {
    actions: { user_group_deactivated: 'A user group was deactivated' },
    entries: ({ group_id, projection }) => [
      {
        action: 'user_group_deactivated',
        target: { type: 'user_group', ids: [group_id] },
        details: { name: projection.name },
      },
    ],
  },
})

/**
 * A user left all groups by deactivation, or came back into them. What is stored of these groups stays, so their
 * projections do too: other services know whether the user is active.
 */
export const groupMemberActivityChanged = domainEvent({
  name: 'users.group_member_activity_changed.v1',
  producer: 'users',
  summary: 'A user left all groups by deactivation, or came back by reactivation',
  payload: z.object({
    user_id: z.int(),
    is_active: z.boolean(),
    /** Those that the user is a direct member of. */
    groups: z.array(z.object({ group_id: z.int(), is_deactivated: z.boolean() })),
    /** Permissions that name the user, as clients see them afterwards. */
    permissions: z.array(
      z.object({
        group_id: z.int(),
        is_deactivated: z.boolean(),
        data: z.object(groupPermissionValues).partial(),
      }),
    ),
  }),
  audience: () => [{ kind: 'realm' }],
  audit: { none: 'It follows from a deactivation or reactivation, which has its entry.' },
})

/** By joining, by a new role, or by becoming a full member. Other services derive all three themselves. */
export const systemGroupMembersChanged = domainEvent({
  name: 'users.system_group_members_changed.v1',
  producer: 'users',
  summary: 'Direct members of system groups changed',
  payload: z.object({ removed: z.array(groupMembers), added: z.array(groupMembers) }),
  audience: () => [{ kind: 'realm' }],
  audit: { none: 'It follows from a new account or role, which has its entry.' },
})
