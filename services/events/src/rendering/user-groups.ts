import { domainEvents } from '@tms/contracts'
import { fieldsOf, present } from './presentation.ts'

const type = 'user_group'
const ADDED = 0
const REMOVED = 1

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
  list: () => [{ index: 0, type }],
  write: ({ group_id, data }) => fieldsOf({ type, op: 'update', group_id, data }),
})

export const presentUserGroupMembersChanged = present(domainEvents.users.userGroupMembersChanged, {
  list: ({ added_user_ids, removed_user_ids }) => addedAndRemoved(added_user_ids, removed_user_ids),
  write: ({ group_id, added_user_ids, removed_user_ids }, index) =>
    index === ADDED
      ? fieldsOf({ type, op: 'add_members', group_id, user_ids: added_user_ids })
      : fieldsOf({ type, op: 'remove_members', group_id, user_ids: removed_user_ids }),
})

export const presentUserGroupSubgroupsChanged = present(domainEvents.users.userGroupSubgroupsChanged, {
  list: ({ added_group_ids, removed_group_ids }) => addedAndRemoved(added_group_ids, removed_group_ids),
  write: ({ group_id, added_group_ids, removed_group_ids }, index) =>
    index === ADDED
      ? fieldsOf({ type, op: 'add_subgroups', group_id, direct_subgroup_ids: added_group_ids })
      : fieldsOf({ type, op: 'remove_subgroups', group_id, direct_subgroup_ids: removed_group_ids }),
})

export const presentUserGroupRemoved = present(domainEvents.users.userGroupRemoved, {
  list: () => [{ index: 0, type }],
  write: ({ group_id }) => fieldsOf({ type, op: 'remove', group_id }),
})

/** `user_group` `remove_members` for each group that was left, then `add_members` for each that was joined. */
export const presentSystemGroupMembersChanged = present(domainEvents.users.systemGroupMembersChanged, {
  list: ({ removed, added }) => [...removed, ...added].map((_, index) => ({ index, type })),
  write: ({ removed, added }, index) => {
    const op = index < removed.length ? 'remove_members' : 'add_members'
    return fieldsOf({ type, op, ...[...removed, ...added][index] })
  },
})
