import { describe, expect, test } from '@jest/globals'
import { Policy, policyAllows, Role } from '@tms/contracts'
import { isFullMember } from './policy.rules.ts'

const roles = [Role.owner, Role.administrator, Role.moderator, Role.member, Role.guest]

describe('policyAllows', () => {
  test.each([
    [Policy.everyone, [100, 200, 300, 400, 600]],
    [Policy.members, [100, 200, 300, 400]],
    [Policy.moderators, [100, 200, 300]],
    [Policy.administrators, [100, 200]],
    [Policy.owners, [100]],
    [Policy.nobody, []],
    [99, []],
  ])('policy %i', (policy, allowed) => {
    expect(roles.filter((role) => policyAllows(policy, { role, isFullMember: true }))).toEqual(allowed)
  })

  test('full members only', () => {
    expect(policyAllows(Policy.fullMembers, { role: Role.member, isFullMember: true })).toBe(true)
    expect(policyAllows(Policy.fullMembers, { role: Role.member, isFullMember: false })).toBe(false)
  })
})

describe('isFullMember', () => {
  test('without a waiting period, everyone but guests', () => {
    expect(roles.filter((role) => isFullMember(role, 0))).toEqual([100, 200, 300, 400])
  })

  test('with one, moderators and above', () => {
    expect(roles.filter((role) => isFullMember(role, 3))).toEqual([100, 200, 300])
  })
})
