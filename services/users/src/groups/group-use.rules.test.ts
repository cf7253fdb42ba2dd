import { type GroupPermissionValues, groupPermissionNames, systemGroupIds } from '@tms/contracts'
import { expect, test } from 'vitest'
import { listUsesInGroups } from './group-use.rules.ts'

const forNobody = Object.fromEntries(
  groupPermissionNames.map((name) => [name, systemGroupIds['role:nobody']]),
) as GroupPermissionValues
const aGroup = (id: number, more: object = {}) => ({
  ...{ id, subgroupIds: [], permissions: forNobody, isDeactivated: false },
  ...more,
})
const naming = {
  permissions: {
    ...forNobody,
    can_join_group: 100,
    can_leave_group: { direct_members: [], direct_subgroups: [5, 100] },
  },
}

test('a group is used by the groups that contain it, and by others whose permissions name it', () => {
  const groups = [aGroup(100, naming), aGroup(101, { subgroupIds: [100] }), aGroup(102, naming), aGroup(103)]

  expect(listUsesInGroups(100, groups)).toEqual([
    { type: 'subgroup', supergroup_ids: [101] },
    { type: 'user_group', group_id: 102, settings: ['can_join_group', 'can_leave_group'] },
  ])
})

test('deactivated groups use no other', () => {
  const deactivated = aGroup(101, { ...naming, subgroupIds: [100], isDeactivated: true })

  expect(listUsesInGroups(100, [aGroup(100), deactivated])).toEqual([])
})
