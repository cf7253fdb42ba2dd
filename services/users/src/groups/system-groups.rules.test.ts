import { Role, systemGroupIds } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { systemGroupsOf } from './system-groups.rules.ts'

const { 'role:members': members, 'role:fullmembers': fullMembers } = systemGroupIds

describe('systemGroupsOf', () => {
  test('lists the members of each group by ID', () => {
    const groups = systemGroupsOf([
      { role: Role.member, isWaiting: true, userIds: [2, 9] },
      { role: Role.member, isWaiting: false, userIds: [3, 5] },
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
