import { type GroupPermission, type GroupPermissionValues, Role, systemGroupIds } from '@tms/contracts'
import { expect, test } from 'vitest'
import { type EditPermission, type GroupEditor, mayEditGroup } from './group-access.rules.ts'

const { 'role:nobody': NOBODY, 'role:moderators': MODERATORS } = systemGroupIds
const USER_ID = 7
const user: GroupEditor = { userId: USER_ID, role: Role.member, isFullMember: true, managesAllGroups: false }
const justUser = { direct_members: [USER_ID], direct_subgroups: [] }
const group = (id: number, more: Partial<GroupPermissionValues> = {}, ...subgroupIds: number[]) => ({
  id,
  memberIds: id === 300 ? [USER_ID] : [],
  subgroupIds,
  permissions: {
    ...{ can_add_members_group: NOBODY, can_join_group: NOBODY, can_leave_group: NOBODY },
    ...{ can_manage_group: NOBODY, can_mention_group: NOBODY, can_remove_members_group: NOBODY },
    ...more,
  },
})
const all: readonly EditPermission[] = [
  'can_manage_group',
  'can_add_members_group',
  'can_join_group',
  'can_remove_members_group',
  'can_leave_group',
]
const allowed = (permissions: Partial<GroupPermissionValues>, editor: GroupEditor = user) =>
  all.filter((name) =>
    mayEditGroup(name, group(100, permissions), editor, [
      group(100),
      group(200, {}, 300),
      group(300),
      group(400, {}, MODERATORS),
    ]),
  )

test.each<[GroupPermission, readonly EditPermission[]]>([
  ['can_manage_group', all],
  ['can_add_members_group', ['can_add_members_group', 'can_join_group']],
  ['can_join_group', ['can_join_group']],
  ['can_remove_members_group', ['can_remove_members_group', 'can_leave_group']],
  ['can_leave_group', ['can_leave_group']],
  ['can_mention_group', []],
])('%s allows what it implies: %j', (name, expected) => {
  expect(allowed({ [name]: justUser })).toEqual(expected)
})

test('a manager of all groups may do everything, and nobody else without a permission', () => {
  expect(allowed({}, { ...user, managesAllGroups: true })).toEqual(all)
  expect(allowed({})).toEqual([])
})

test('a permission reaches members of subgroups, and of the roles within a group', () => {
  expect(allowed({ can_join_group: 200 })).toEqual(['can_join_group'])
  expect(allowed({ can_join_group: 400 })).toEqual([])
  expect(allowed({ can_join_group: 400 }, { ...user, role: Role.moderator })).toEqual(['can_join_group'])
})
