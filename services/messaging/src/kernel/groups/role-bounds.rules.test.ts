import { type SystemGroupName, systemGroupIds } from '@tms/contracts'
import { expect, test } from 'vitest'
import { roleBoundsOf } from './role-bounds.rules.ts'

const now = new Date('2026-01-04T00:00:00Z')
const realm = { waiting_period_threshold: 3 }
const threeDaysAgo = Date.parse('2026-01-01T00:00:00Z') / 1000

test.each<[SystemGroupName[], number, number | null]>([
  [[], 0, null],
  [['role:nobody'], 0, null],
  [['role:owners'], 100, null],
  [['role:administrators', 'role:owners'], 200, null],
  [['role:moderators'], 300, null],
  [['role:fullmembers'], 300, threeDaysAgo],
  [['role:fullmembers', 'role:members'], 400, threeDaysAgo],
  [['role:members'], 400, null],
  [['role:everyone'], 600, null],
  [['role:internet'], 600, null],
])('%j include roles up to %i, and members who joined by %j', (names, roleAtMost, membersJoinedBy) => {
  const ids = [1_000, ...names.map((name) => systemGroupIds[name])]

  expect(roleBoundsOf(ids, realm, now)).toEqual({ roleAtMost, membersJoinedBy })
})
