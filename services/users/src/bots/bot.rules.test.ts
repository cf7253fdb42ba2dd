import { BotType, Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkCanOwn, checkManages, checkMayGiveRole, isManager, mayCreateBot } from './bot.rules.ts'

const { owner, administrator, moderator, member, guest } = Role
const OTHER = 2
const codeOf = (check: () => unknown): string | null => {
  try {
    check()
    return null
  } catch (err) {
    return (err as { code: string }).code
  }
}

describe('mayCreateBot', () => {
  test.each([
    ['any', BotType.generic, member, true],
    ['any', BotType.incomingWebhook, member, true],
    ['write-only', BotType.generic, moderator, false],
    ['write-only', BotType.generic, administrator, true],
    ['write-only', BotType.incomingWebhook, member, true],
    ['no', BotType.incomingWebhook, moderator, false],
    ['no', BotType.generic, owner, true],
  ])('permission for %s bots, type %i, role %i: %j', (which, botType, role, expected) => {
    const permissions = {
      can_create_bots_group: which === 'any',
      can_create_write_only_bots_group: which === 'write-only',
    }
    expect(mayCreateBot({ role }, botType, permissions)).toBe(expected)
  })
})

describe('checkManages', () => {
  test.each([
    ['their own', member, member, true, null],
    ['their own', guest, member, true, null],
    ['another’s', moderator, member, false, 'BAD_REQUEST'],
    ['another’s', administrator, member, false, null],
    ['another’s', administrator, administrator, false, null],
    ['another’s', administrator, owner, false, 'UNAUTHORIZED_PRINCIPAL'],
    ['another’s', owner, owner, false, null],
  ])('%s by role %i, of role %i', (_, role, botRole, isOwn, code) => {
    const bot = { botOwnerId: isOwn ? 1 : OTHER, role: botRole }
    expect(codeOf(() => checkManages({ userId: 1, role, isBot: false }, bot))).toBe(code)
    expect(isManager({ userId: 1, role }, bot)).toBe(code === null)
  })
})

describe('checkMayGiveRole', () => {
  test.each([
    [owner, member, owner, null],
    [owner, owner, member, null],
    [administrator, member, administrator, null],
    [administrator, administrator, guest, null],
    [administrator, member, owner, 'UNAUTHORIZED_PRINCIPAL'],
    [administrator, owner, member, 'UNAUTHORIZED_PRINCIPAL'],
    [moderator, member, guest, 'UNAUTHORIZED_PRINCIPAL'],
    [member, member, moderator, 'UNAUTHORIZED_PRINCIPAL'],
  ])('role %i, from %i to %i: %s', (role, from, to, code) => {
    expect(codeOf(() => checkMayGiveRole({ role }, from, to))).toBe(code)
  })
})

describe('checkCanOwn', () => {
  const anOwner = { isActive: true, isBot: false, role: member as number }
  test.each([
    ['a member', anOwner, member, null],
    ['a moderator, one of a member’s role', { ...anOwner, role: moderator }, member, null],
    ['a member, one with more power', anOwner, moderator, 'BAD_REQUEST'],
    ['an administrator, one of an owner’s role', { ...anOwner, role: administrator }, owner, 'BAD_REQUEST'],
    ['a guest', { ...anOwner, role: guest }, guest, 'BAD_REQUEST'],
    ['a bot', { ...anOwner, isBot: true }, member, 'BAD_REQUEST'],
    ['a deactivated user', { ...anOwner, isActive: false }, member, 'BAD_REQUEST'],
    ['nobody', null, member, 'BAD_REQUEST'],
  ])('%s', (_, account, botRole, code) => {
    expect(codeOf(() => checkCanOwn(account, botRole))).toBe(code)
  })
})
