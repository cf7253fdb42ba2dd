import { expect, test } from 'vitest'
import { Role } from './role.ts'
import { isInSystemGroup, type SystemGroupName, systemGroupIds } from './system-groups.ts'

const members = {
  owner: { role: Role.owner, isFullMember: true },
  administrator: { role: Role.administrator, isFullMember: true },
  moderator: { role: Role.moderator, isFullMember: true },
  fullMember: { role: Role.member, isFullMember: true },
  newMember: { role: Role.member, isFullMember: false },
  guest: { role: Role.guest, isFullMember: false },
}

test.each<[SystemGroupName, (keyof typeof members)[]]>([
  ['role:owners', ['owner']],
  ['role:administrators', ['owner', 'administrator']],
  ['role:moderators', ['owner', 'administrator', 'moderator']],
  ['role:fullmembers', ['owner', 'administrator', 'moderator', 'fullMember']],
  ['role:members', ['owner', 'administrator', 'moderator', 'fullMember', 'newMember']],
  ['role:everyone', ['owner', 'administrator', 'moderator', 'fullMember', 'newMember', 'guest']],
  ['role:internet', ['owner', 'administrator', 'moderator', 'fullMember', 'newMember', 'guest']],
  ['role:nobody', []],
])('%s has %j', (group, expected) => {
  const within = Object.entries(members).filter(([, member]) =>
    isInSystemGroup(systemGroupIds[group], member),
  )

  expect(within.map(([name]) => name)).toEqual(expected)
})
