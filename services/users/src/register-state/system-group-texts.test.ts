import { systemGroupIds, type UserGroup } from '@tms/contracts'
import { expect, test } from 'vitest'
import type { UserListSnapshot } from '../user-list-cache/read-user-list-snapshot.ts'
import { createSystemGroupWriter } from './system-group-texts.ts'

const MEMBER = 400

const snapshotOf = (...ids: number[]): UserListSnapshot => {
  const entries = ids.map((id) => ({
    ...{ id, changedIn: 1, isBot: false, role: MEMBER },
    listKind: 'active' as const,
  }))
  return {
    ...{ server: '', xmin: 1, fieldsKey: '' },
    chunks: [{ firstId: 1, entries, visibilities: [], jsonByView: new Map() }],
  }
}

test('system groups are written once, until a user changes or a waiting period begins or ends', () => {
  const write = createSystemGroupWriter()
  const [before, after] = [snapshotOf(1, 2), snapshotOf(1, 2, 3)]
  const read = (snapshot: UserListSnapshot, ...waiting: number[]) => {
    const groups: UserGroup[] = JSON.parse(`[${Buffer.from(write(snapshot, new Set(waiting)).bytes)}]`)
    return groups.find(({ id }) => id === systemGroupIds['role:fullmembers'])?.members
  }

  expect(read(before, 2)).toEqual([1])
  expect(write({ ...before, xmin: 2 }, new Set([2]))).toBe(write(before, new Set([2])))
  expect(read(before, 1)).toEqual([2])
  expect(read(before)).toEqual([1, 2])
  expect(read(after)).toEqual([1, 2, 3])
})
