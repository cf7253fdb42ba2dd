import { describe, expect, test } from 'vitest'
import { isFullMember, Policy, policyAllows } from './policies.ts'
import { Role } from './role.ts'

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
  const DAY = 86_400
  test.each([
    ['without a waiting period, everyone but guests', 0, 0, [100, 200, 300, 400]],
    ['before it is over, moderators and above', 3, 3 * DAY - 1, [100, 200, 300]],
    ['once it is over, everyone but guests', 3, 3 * DAY, [100, 200, 300, 400]],
  ])('%s', (_, waitingDays, age, expected) => {
    const isFull = (role: number) => isFullMember({ role, date_joined: 1_000 }, waitingDays, 1_000 + age)
    expect(roles.filter(isFull)).toEqual(expected)
  })
})
