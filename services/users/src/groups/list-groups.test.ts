import { Role } from '@tms/contracts'
import { expect, test } from 'vitest'
import { checkMayUseGroups } from './list-groups.ts'

test.each([
  [Role.owner, false, true],
  [Role.member, false, true],
  [Role.guest, false, false],
  [Role.owner, true, false],
  [Role.member, true, false],
])('a user with role %i (bot: %j) may use groups: %j', (role, isBot, expected) => {
  const attempt = () => checkMayUseGroups({ role, isBot })

  if (expected) expect(attempt).not.toThrow()
  else expect(attempt).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
})
