import { describe, expect, test } from 'vitest'
import { isFullMember } from './policies.ts'
import { Role } from './role.ts'

describe('isFullMember', () => {
  const DAY = 86_400
  test.each([
    ['without a waiting period, everyone but guests', 0, 0, [100, 200, 300, 400]],
    ['before it is over, moderators and above', 3, 3 * DAY - 1, [100, 200, 300]],
    ['once it is over, everyone but guests', 3, 3 * DAY, [100, 200, 300, 400]],
  ])('%s', (_, waitingDays, age, expected) => {
    const roles = [Role.owner, Role.administrator, Role.moderator, Role.member, Role.guest]
    const isFull = (role: number) => isFullMember({ role, date_joined: 1_000 }, waitingDays, 1_000 + age)
    expect(roles.filter(isFull)).toEqual(expected)
  })
})
