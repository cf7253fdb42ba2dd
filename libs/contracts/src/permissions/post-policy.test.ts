import { expect, test } from 'vitest'
import { groupOfPostPolicy, postPolicyOf } from './post-policy.ts'
import { systemGroupIds } from './system-groups.ts'

test.each([
  [1, 'role:everyone'],
  [2, 'role:administrators'],
  [3, 'role:fullmembers'],
  [4, 'role:moderators'],
] as const)('the post policy %i stands for %s', (policy, group) => {
  expect(groupOfPostPolicy(policy)).toBe(systemGroupIds[group])
  expect(postPolicyOf(systemGroupIds[group])).toBe(policy)
})

test.each([[140], [systemGroupIds['role:owners']], [{ direct_members: [7], direct_subgroups: [] }]])(
  'the post policy for %j is everyone, because older clients have no other value for it',
  (value) => {
    expect(postPolicyOf(value)).toBe(1)
  },
)
