import { describe, expect, test } from 'vitest'
import { isAllowedByPolicy } from './policy.rules.ts'

const joined = new Date('2026-01-01T12:00:00Z')
const daysLater = (days: number) => new Date(joined.getTime() + days * 86_400_000)

describe('isAllowedByPolicy', () => {
  test.each([
    [1, [100, 200, 300, 400]],
    [2, [100, 200]],
    [3, [100, 200, 300, 400]],
    [4, [100, 200, 300]],
    [5, [100, 200, 300, 400, 600]],
    [6, []],
    [7, [100]],
  ])('policy %i allows the roles %j without a waiting period', (policy, expected) => {
    const allowed = [100, 200, 300, 400, 600].filter((role) =>
      isAllowedByPolicy(policy, { role, dateJoined: joined }, 0, joined),
    )

    expect(allowed).toEqual(expected)
  })

  test('requires the waiting period of full members in whole days', () => {
    const member = { role: 400, dateJoined: joined }

    expect(isAllowedByPolicy(3, member, 3, daysLater(2.99))).toBe(false)
    expect(isAllowedByPolicy(3, member, 3, daysLater(3))).toBe(true)
    expect(isAllowedByPolicy(3, { ...member, role: 300 }, 3, joined)).toBe(true)
  })
})
