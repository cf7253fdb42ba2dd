import { Role, systemGroupIds } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { diffMembership, directGroupsOf } from './system-membership.rules.ts'

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
