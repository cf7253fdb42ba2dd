import { Role, systemGroupIds } from '@tms/contracts'
import { expect, test } from 'vitest'
import type { Channel } from '../kernel/channels/channel.queries.ts'
import { mayRemoveOthers } from './remove-others.rules.ts'

const aChannel = (fields: Partial<Channel>) =>
  ({
    inviteOnly: false,
    isWebPublic: false,
    canRemoveSubscribersGroup: systemGroupIds['role:administrators'],
    ...fields,
  }) as Channel
const administrator = { role: Role.administrator, isFullMember: true }
const member = { role: Role.member, isFullMember: true }
const byMembers = { canRemoveSubscribersGroup: systemGroupIds['role:members'] }

test('administrators may remove from any channel', () => {
  expect(mayRemoveOthers(administrator, aChannel({ inviteOnly: true }), null)).toBe(true)
})

test("others need the channel's group", () => {
  expect(mayRemoveOthers(member, aChannel({}), { isActive: true })).toBe(false)
  expect(mayRemoveOthers(member, aChannel(byMembers), null)).toBe(true)
})

test('a member of the group who does not see the channel may not', () => {
  const channel = aChannel({ ...byMembers, inviteOnly: true })
  expect(mayRemoveOthers(member, channel, null)).toBe(false)
  expect(mayRemoveOthers(member, channel, { isActive: true })).toBe(true)
})
