import { describe, expect, test } from 'vitest'
import { admits } from './policy.rules.ts'

const joined = new Date('2026-01-01T12:00:00Z')
const daysLater = (days: number) => new Date(joined.getTime() + days * 86_400_000)

describe('admits', () => {
  test.each([
    [1, [100, 200, 300, 400]],
    [2, [100, 200]],
    [3, [100, 200, 300, 400]],
    [4, [100, 200, 300]],
    [5, [100, 200, 300, 400, 600]],
    [6, []],
    [7, [100]],
  ])('policy %i admits the roles %j when nobody has to wait', (policy, expected) => {
    const admitted = [100, 200, 300, 400, 600].filter((role) =>
      admits(policy, { role, dateJoined: joined }, 0, joined),
    )

    expect(admitted).toEqual(expected)
  })

  test('makes members wait to be full members, to the whole day', () => {
    const member = { role: 400, dateJoined: joined }

    expect(admits(3, member, 3, daysLater(2.99))).toBe(false)
    expect(admits(3, member, 3, daysLater(3))).toBe(true)
    expect(admits(3, { ...member, role: 300 }, 3, joined)).toBe(true)
  })
})
