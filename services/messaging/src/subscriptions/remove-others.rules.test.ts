import { Role } from '@tms/contracts'
import { expect, test } from 'vitest'
import { mayRemoveOthers } from './remove-others.rules.ts'

const open = { inviteOnly: false, isWebPublic: false }
const closed = { inviteOnly: true, isWebPublic: false }
const subscribed = { isActive: true, isViewer: false, isReader: false }
const administrator = { role: Role.administrator, isPermitted: false }
const member = { role: Role.member, isPermitted: false }
const remover = { role: Role.member, isPermitted: true }

test('administrators may remove from any channel', () => {
  expect(mayRemoveOthers(administrator, closed, null)).toBe(true)
})

test("others need the channel's permission", () => {
  expect(mayRemoveOthers(member, open, subscribed)).toBe(false)
  expect(mayRemoveOthers(remover, open, null)).toBe(true)
})

test('a user with the permission who does not see the channel may not', () => {
  expect(mayRemoveOthers(remover, closed, null)).toBe(false)
  expect(mayRemoveOthers(remover, closed, subscribed)).toBe(true)
  expect(mayRemoveOthers(remover, closed, { ...subscribed, isActive: false, isViewer: true })).toBe(true)
})
