import { expect, test } from 'vitest'
import { type SeenUser, SeenUsers } from './seen-users.ts'

const user = (userId: number, updateId: number): SeenUser => ({
  ...{ userId, updateId, activeAt: null },
  connectedAt: Math.floor(updateId / 1000),
})

test('updates may be applied in any order, and again', () => {
  const seen = new SeenUsers(10, '')
  seen.apply([user(1, 8), user(2, 10)], 10)
  seen.apply([user(1, 14)], 14)
  const { version } = seen

  seen.apply([user(1, 12), user(2, 10)], 12)

  expect([...seen.users.values()].map(({ updateId }) => updateId)).toEqual([14, 10])
  expect(seen.lastUpdateId).toBe(14)
  expect(seen.version).toBe(version)
})

test('users who were not seen for long are dropped', () => {
  const seen = new SeenUsers(0, '')
  seen.apply([user(1, 1_000_000), user(2, 2_000_000)], 2_000_000)

  seen.dropUpTo(1_000_000)

  expect([...seen.users.keys()]).toEqual([2])
})
