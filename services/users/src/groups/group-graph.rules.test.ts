import { expect, test } from 'vitest'
import { groupsWithin, makesCycle } from './group-graph.rules.ts'

const group = (id: number, ...direct_subgroup_ids: number[]) => ({ id, direct_subgroup_ids })
// 1 contains 2 and 3, both contain 4; 5 is separate.
const groups = [group(1, 2, 3), group(2, 4), group(3, 4), group(4), group(5)]

test.each([
  [[1], [2, 3, 4]],
  [[2, 3], [4]],
  [
    [1, 2],
    [2, 3, 4],
  ],
  [[4], []],
  [[99], []],
])('groups within %j are %j', (ids, expected) => {
  expect(groupsWithin(groups, ids)).toEqual(new Set(expected))
})

test.each([
  [4, [1], true],
  [4, [5, 2], true],
  [1, [1], true],
  [1, [4, 5], false],
  [5, [1], false],
  [2, [3], false],
])('adding to %i the groups %j makes a cycle: %j', (id, added, expected) => {
  expect(makesCycle(groups, id, added)).toBe(expected)
})
