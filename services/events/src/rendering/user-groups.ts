import { domainEvents, type UserGroupProjection } from '@tms/contracts'
import type { QueueState } from '../kernel/queue-state.ts'
import { fieldsOf, present } from './presentation.ts'

const type = 'user_group'
const ADDED = 0
const REMOVED = 1
const DEACTIVATED = 2

/** Whether a queue's client shows deactivated groups; for others they are removed. */
const showsDeactivated = ({ record }: QueueState): boolean =>
  record.client_capabilities.include_deactivated_groups

const isShown = (
  { is_deactivated }: Pick<UserGroupProjection, 'is_deactivated'>,
  queue: QueueState,
): boolean => !is_deactivated || showsDeactivated(queue)

/** One event for additions and one for removals, if there are any. */
const addedAndRemoved = (added: readonly number[], removed: readonly number[]) => [
  ...(added.length > 0 ? [{ index: ADDED, type }] : []),
  ...(removed.length > 0 ? [{ index: REMOVED, type }] : []),
]

export const presentUserGroupCreated = present(domainEvents.users.userGroupCreated, {
  list: () => [{ index: 0, type }],
  write: ({ group }) => fieldsOf({ type, op: 'add', group }),
})

export const presentUserGroupUpdated = present(domainEvents.users.userGroupUpdated, {
  list: ({ projection }, queue) => (isShown(projection, queue) ? [{ index: 0, type }] : []),
  write: ({ group_id, data }) => fieldsOf({ type, op: 'update', group_id, data }),
})

export const presentUserGroupMembersChanged = present(domainEvents.users.userGroupMembersChanged, {
  list: ({ added_user_ids, removed_user_ids, projection }, queue) =>
    isShown(projection, queue) ? addedAndRemoved(added_user_ids, removed_user_ids) : [],
  write: ({ group_id, added_user_ids, removed_user_ids }, index) =>
    index === ADDED
      ? fieldsOf({ type, op: 'add_members', group_id, user_ids: added_user_ids })
      : fieldsOf({ type, op: 'remove_members', group_id, user_ids: removed_user_ids }),
})

export const presentUserGroupSubgroupsChanged = present(domainEvents.users.userGroupSubgroupsChanged, {
  list: ({ added_group_ids, removed_group_ids, projection }, queue) =>
    isShown(projection, queue) ? addedAndRemoved(added_group_ids, removed_group_ids) : [],
  write: ({ group_id, added_group_ids, removed_group_ids }, index) =>
    index === ADDED
      ? fieldsOf({ type, op: 'add_subgroups', group_id, direct_subgroup_ids: added_group_ids })
      : fieldsOf({ type, op: 'remove_subgroups', group_id, direct_subgroup_ids: removed_group_ids }),
})

export const presentUserGroupDeactivated = present(domainEvents.users.userGroupDeactivated, {
  list: (_, queue) => [{ index: showsDeactivated(queue) ? DEACTIVATED : REMOVED, type }],
  write: ({ group_id }, index) =>
    index === DEACTIVATED
      ? fieldsOf({ type, op: 'update', group_id, data: { deactivated: true } })
      : fieldsOf({ type, op: 'remove', group_id }),
})

/**
 * `user_group` `remove_members` of a deactivated user and `add_members` of a reactivated one for each group, then `update` of
 * the permissions that name the user. All clients get them: a client that does the same on `realm_user` events isn't harmed.
 */
export const presentGroupMemberActivityChanged = present(domainEvents.users.groupMemberActivityChanged, {
  list: ({ groups, permissions }, queue) =>
    [...groups, ...permissions].flatMap((group, index) => (isShown(group, queue) ? [{ index, type }] : [])),
  write: ({ user_id, is_active, groups, permissions }, index) => {
    const group = groups[index]
    if (group) {
      const op = is_active ? 'add_members' : 'remove_members'
      return fieldsOf({ type, op, group_id: group.group_id, user_ids: [user_id] })
    }
    const { group_id, data } = permissions[index - groups.length] ?? {}
    return fieldsOf({ type, op: 'update', group_id, data })
  },
})

/** `user_group` `remove_members` for each group that was left, then `add_members` for each that was joined. */
export const presentSystemGroupMembersChanged = present(domainEvents.users.systemGroupMembersChanged, {
  list: ({ removed, added }) => [...removed, ...added].map((_, index) => ({ index, type })),
  write: ({ removed, added }, index) => {
    const op = index < removed.length ? 'remove_members' : 'add_members'
    return fieldsOf({ type, op, ...[...removed, ...added][index] })
  },
})
