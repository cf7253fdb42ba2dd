import { Policy, Role } from '@tms/contracts'
import { expect, test } from 'vitest'
import { checkMayDelete } from './deletion.rules.ts'

const NOW = 1_800_000_000_000
const own = { delete_own_message_policy: Policy.everyone, message_content_delete_limit_seconds: 600 }
const admins = { ...own, delete_own_message_policy: Policy.administrators }
const members = { ...own, delete_own_message_policy: Policy.members }
const full = { ...own, delete_own_message_policy: Policy.fullMembers }
const unlimited = { ...own, message_content_delete_limit_seconds: null }

test.each([
  ['a member', Role.member, 'own', 600, own, true],
  ['a member', Role.member, 'own', 600.001, own, false],
  ['a member', Role.member, 'own', 1e9, unlimited, true],
  ['a member', Role.member, 'another’s', 1, own, false],
  ['a moderator', Role.moderator, 'another’s', 1, own, false],
  ['a guest', Role.guest, 'own', 1, own, true],
  ['a guest', Role.guest, 'own', 1, members, false],
  ['a member', Role.member, 'own', 1, members, true],
  ['a new member', Role.member, 'own', 1, full, false],
  ['a moderator', Role.moderator, 'own', 1, full, true],
  ['a moderator', Role.moderator, 'own', 1, admins, false],
  ['an administrator', Role.administrator, 'another’s', 1e9, admins, true],
  ['an owner', Role.owner, 'another’s', 1e9, own, true],
] as const)('%s (%s) deletes %s message after %s s under %j: %s', (_, role, whose, age, realm, expected) => {
  const request = {
    policySubject: { role, isFullMember: role <= Role.moderator },
    isOwn: whose === 'own',
    sentAtMs: NOW - age * 1000,
    nowMs: NOW,
  }
  const check = () => checkMayDelete(realm, request)
  if (expected) expect(check).not.toThrow()
  else expect(check).toThrow()
})
