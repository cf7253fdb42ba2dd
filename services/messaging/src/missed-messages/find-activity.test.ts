import type { InternalClient } from '@tms/service-kit'
import { expect, test } from 'vitest'
import { createActivityFinder } from './find-activity.ts'

/** Presence in which users with even IDs were active a hundred seconds for each ID after the epoch, and is unknown in some organizations. */
function startFinder() {
  const state = { unknown: new Set<number>(), nowMs: 0, running: 0, mostRunning: 0 }
  const call = async (_: unknown, { realm_id, user_ids }: { realm_id: number; user_ids: number[] }) => {
    state.mostRunning = Math.max(state.mostRunning, ++state.running)
    await Promise.resolve()
    state.running--
    return state.unknown.has(realm_id)
      ? { is_known: false, active_at: [] }
      : { is_known: true, active_at: user_ids.map((id) => (id % 2 === 0 ? id * 100 : null)) }
  }
  return { state, find: createActivityFinder(call as unknown as InternalClient, () => state.nowMs) }
}

const users = [
  { realmId: 1, userId: 1 },
  { realmId: 1, userId: 2 },
  { realmId: 2, userId: 3 },
  { realmId: 2, userId: 4 },
]

const ACTIVE = [
  [2, 200],
  [4, 400],
]

test('users were active as their presence says', async () => {
  const { find } = startFinder()
  expect([...(await find(users))]).toEqual(ACTIVE)
})

test('organizations are asked about at once, but not too many', async () => {
  const { find, state } = startFinder()
  await find(Array.from({ length: 20 }, (_, index) => ({ realmId: index, userId: index })))
  expect(state.mostRunning).toBe(8)
})

test('one organization without presence holds the others back for two minutes only', async () => {
  const { find, state } = startFinder()
  state.unknown.add(2)
  for (; state.nowMs < 120_000; state.nowMs += 10_000) await expect(find(users)).rejects.toThrow('unknown')
  expect([...(await find(users))]).toEqual([[2, 200]])

  state.unknown.clear()
  expect([...(await find(users))]).toEqual(ACTIVE)
  state.unknown.add(2)
  await expect(find(users)).rejects.toThrow('unknown')
})

test('an earlier time without presence does not count', async () => {
  const { find, state } = startFinder()
  state.unknown.add(2)
  await expect(find(users)).rejects.toThrow('unknown')
  state.nowMs = 3_600_000
  await expect(find(users)).rejects.toThrow('unknown')
})
