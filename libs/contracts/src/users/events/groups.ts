import { z } from 'zod'
import { domainEvent } from '../../declarations/domain-event.ts'
import { groupMembers, groupPermissionValues, userGroup, userGroupProjection } from '../groups.ts'

export const userGroupCreated = domainEvent({
  name: 'users.user_group_created.v1',
  producer: 'users',
  summary: 'A user group was created',
  payload: z.object({ group: userGroup, projection: userGroupProjection }),
  audience: () => [{ kind: 'realm' }],
})

export const userGroupUpdated = domainEvent({
  name: 'users.user_group_updated.v1',
  producer: 'users',
  summary: 'Name, description or permissions of a user group changed',
  payload: z.object({
    group_id: z.int(),
    /** Only the changed properties. */
    data: z.object({ name: z.string(), description: z.string(), ...groupPermissionValues }).partial(),
    projection: userGroupProjection,
  }),
  audience: () => [{ kind: 'realm' }],
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
})

export const userGroupDeactivated = domainEvent({
  name: 'users.user_group_deactivated.v1',
  producer: 'users',
  summary: 'A user group was deactivated',
  payload: z.object({ group_id: z.int(), projection: userGroupProjection }),
  audience: () => [{ kind: 'realm' }],
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
})

/** By joining, by a new role, or by becoming a full member. Other services derive all three themselves. */
export const systemGroupMembersChanged = domainEvent({
  name: 'users.system_group_members_changed.v1',
  producer: 'users',
  summary: 'Direct members of system groups changed',
  payload: z.object({ removed: z.array(groupMembers), added: z.array(groupMembers) }),
  audience: () => [{ kind: 'realm' }],
})
