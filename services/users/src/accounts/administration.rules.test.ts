import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import {
  checkMayChangeRole,
  checkMayDeactivate,
  checkMayReactivate,
  checkMayRename,
  isLastOwner,
} from './administration.rules.ts'

const { owner, administrator, moderator, member, guest } = Role
const GENERIC_BOT = 1

const anActor = (role: number) => ({ id: 1, role })
const aUser = (role: number) => ({ role, isBot: false, botType: null, botOwnerId: null })
const aBot = (botOwnerId: number, botType = GENERIC_BOT) => ({
  role: member,
  isBot: true,
  botType,
  botOwnerId,
})
const verdict = (check: () => void): string => {
  try {
    check()
    return 'may'
  } catch {
    return 'may not'
  }
}

describe('permissions towards an owner, a member and an own bot', () => {
  test.each([
    // actor, rename: owner, member, own bot; deactivate: owner, member; reactivate: owner, member, own bot
    [owner, 'may', 'may', 'may', 'may', 'may', 'may', 'may', 'may'],
    [administrator, 'may', 'may', 'may', 'may not', 'may', 'may', 'may', 'may'],
    [moderator, 'may not', 'may not', 'may', 'may not', 'may not', 'may not', 'may not', 'may'],
    [member, 'may not', 'may not', 'may', 'may not', 'may not', 'may not', 'may not', 'may'],
    [guest, 'may not', 'may not', 'may', 'may not', 'may not', 'may not', 'may not', 'may not'],
  ])('role %i', (role, ...expected) => {
    const actor = anActor(role)

    expect([
      verdict(() => checkMayRename(actor, aUser(owner))),
      verdict(() => checkMayRename(actor, aUser(member))),
      verdict(() => checkMayRename(actor, aBot(actor.id))),
      verdict(() => checkMayDeactivate(actor, aUser(owner))),
      verdict(() => checkMayDeactivate(actor, aUser(member))),
      verdict(() => checkMayReactivate(actor, aUser(owner), true)),
      verdict(() => checkMayReactivate(actor, aUser(member), true)),
      verdict(() => checkMayReactivate(actor, aBot(actor.id), true)),
    ]).toEqual(expected)
  })

  test('treats other users’ bots like other users', () => {
    expect(verdict(() => checkMayRename(anActor(member), aBot(2)))).toBe('may not')
    expect(verdict(() => checkMayReactivate(anActor(member), aBot(2), true))).toBe('may not')
  })
})

describe('checkMayChangeRole', () => {
  test.each([
    // from, to, by an owner, by an administrator, by a moderator
    [member, administrator, 'may', 'may', 'may not'],
    [member, guest, 'may', 'may', 'may not'],
    [guest, member, 'may', 'may', 'may not'],
    [guest, moderator, 'may', 'may', 'may not'],
    [guest, administrator, 'may not', 'may not', 'may not'],
    [guest, owner, 'may not', 'may not', 'may not'],
    [administrator, guest, 'may', 'may', 'may not'],
    [member, owner, 'may', 'may not', 'may not'],
    [owner, member, 'may', 'may not', 'may not'],
    [owner, administrator, 'may', 'may not', 'may not'],
  ])('from %i to %i', (from, to, ...expected) => {
    const byRole = [owner, administrator, moderator].map((role) =>
      verdict(() => checkMayChangeRole(anActor(role), aUser(from), to)),
    )

    expect(byRole).toEqual(expected)
  })

  test('refuses members who change the role of their own bot', () => {
    expect(verdict(() => checkMayChangeRole(anActor(member), aBot(1), guest))).toBe('may not')
  })
})

describe('reactivation of an own bot', () => {
  test.each([
    [true, 'may', 'may', 'may not'],
    [false, 'may', 'may not', 'may not'],
  ])(
    'by an administrator, a member and a guest with permission to create it: %j',
    (mayCreate, ...expected) => {
      const byRole = [administrator, member, guest].map((role) =>
        verdict(() => checkMayReactivate(anActor(role), aBot(1), mayCreate)),
      )

      expect(byRole).toEqual(expected)
    },
  )
})

describe('the last owner', () => {
  const anOwner = { role: owner, isActive: true, isBot: false }

  test('is an active owner without other owners', () => {
    expect(isLastOwner(anOwner, 0)).toBe(true)
    expect(isLastOwner(anOwner, 1)).toBe(false)
  })

  test('is no bot, no inactive user and no user with another role', () => {
    expect(isLastOwner({ ...anOwner, isBot: true }, 0)).toBe(false)
    expect(isLastOwner({ ...anOwner, isActive: false }, 0)).toBe(false)
    expect(isLastOwner({ ...anOwner, role: administrator }, 0)).toBe(false)
  })
})
