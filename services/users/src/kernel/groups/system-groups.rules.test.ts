import { Role, systemGroupIds } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { diffMembership, directGroupsOf, systemGroupsOf } from './system-groups.rules.ts'

const { 'role:members': members, 'role:fullmembers': fullMembers } = systemGroupIds

describe('directGroupsOf', () => {
  test.each([
    [Role.owner, false, ['role:owners']],
    [Role.administrator, false, ['role:administrators']],
    [Role.moderator, false, ['role:moderators']],
    [Role.member, false, ['role:members', 'role:fullmembers']],
    [Role.member, true, ['role:members']],
    [Role.guest, false, ['role:everyone']],
  ] as const)('a user with role %i (waiting: %j) is in %j', (role, isWaiting, names) => {
    expect(directGroupsOf({ role, isWaiting })).toEqual(names.map((name) => systemGroupIds[name]))
  })
})

describe('systemGroupsOf', () => {
  test('sorts the members of each group by ID', () => {
    const groups = systemGroupsOf([
      { role: Role.member, isWaiting: true, userIds: [9, 2] },
      { role: Role.member, isWaiting: false, userIds: [5, 3] },
      { role: Role.owner, isWaiting: false, userIds: [1] },
    ])

    const membersOf = (id: number) => groups.find((group) => group.id === id)?.members
    expect(membersOf(systemGroupIds['role:owners'])).toEqual([1])
    expect(membersOf(members)).toEqual([2, 3, 5, 9])
    expect(membersOf(fullMembers)).toEqual([3, 5])
    expect(membersOf(systemGroupIds['role:everyone'])).toEqual([])
  })

  test('sorts groups by ID', () => {
    expect(systemGroupsOf([]).map(({ id }) => id)).toEqual(Object.values(systemGroupIds))
  })
})

describe('diffMembership', () => {
  test('removes a full member who becomes a moderator from both groups of members', () => {
    const before = directGroupsOf({ role: Role.member, isWaiting: false })
    const after = directGroupsOf({ role: Role.moderator, isWaiting: false })

    expect(diffMembership(7, before, after)).toEqual({
      removed: [
        { group_id: members, user_ids: [7] },
        { group_id: fullMembers, user_ids: [7] },
      ],
      added: [{ group_id: systemGroupIds['role:moderators'], user_ids: [7] }],
    })
  })

  test('leaves out unchanged memberships', () => {
    expect(diffMembership(7, [members, fullMembers], [members])).toEqual({
      removed: [{ group_id: fullMembers, user_ids: [7] }],
      added: [],
    })
  })
})
