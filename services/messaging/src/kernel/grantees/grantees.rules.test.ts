import { defaultChannelPermissions, Role, systemGroupIds } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { NO_GRANTEES } from './grantees.queries.ts'
import {
  changedViewers,
  grantedRoles,
  isSameGrantees,
  namedGrantees,
  withdrawsReading,
} from './grantees.rules.ts'

describe('namedGrantees', () => {
  test('has the users and groups of the three permissions, and who of them reads', () => {
    const permissions = {
      ...defaultChannelPermissions,
      can_administer_channel_group: { direct_members: [1], direct_subgroups: [100] },
      can_add_subscribers_group: { direct_members: [2], direct_subgroups: [] },
      can_subscribe_group: 101,
      can_send_message_group: 102,
    }
    expect(namedGrantees(permissions)).toEqual({
      users: [
        [2, true],
        [1, false],
      ],
      groups: [
        [100, false],
        [101, true],
      ],
    })
  })
})

describe('grantedRoles', () => {
  const {
    'role:moderators': MODERATORS,
    'role:fullmembers': FULL_MEMBERS,
    'role:everyone': EVERYONE,
  } = systemGroupIds
  const at = (waiting_period_threshold: number) => ({ waiting_period_threshold })

  test.each([
    ['nobody', [], 7, { viewerRole: 0, readerRole: 0, admitsFullMembers: false }],
    [
      'those of the widest group',
      [[MODERATORS, true]],
      7,
      { viewerRole: 300, readerRole: 300, admitsFullMembers: false },
    ],
    ['viewers only', [[MODERATORS, false]], 7, { viewerRole: 300, readerRole: 0, admitsFullMembers: false }],
    [
      'no guests',
      [[EVERYONE, true]],
      7,
      { viewerRole: Role.member, readerRole: Role.member, admitsFullMembers: false },
    ],
    [
      'moderators as full members',
      [[FULL_MEMBERS, true]],
      7,
      { viewerRole: 300, readerRole: 300, admitsFullMembers: true },
    ],
    [
      'all members if nobody waits',
      [[FULL_MEMBERS, true]],
      0,
      { viewerRole: 400, readerRole: 400, admitsFullMembers: true },
    ],
  ] as const)('%s', (_, groups, days, expected) => {
    expect(grantedRoles(groups, at(days))).toEqual(expected)
  })
})

describe('changedViewers', () => {
  const of = (viewerRole: number, ...userIds: number[]) => ({
    viewerRole,
    readerRole: 0,
    admitsFullMembers: false,
    users: new Map(userIds.map((id) => [id, false])),
  })

  test('has only the users who gained or lost', () => {
    expect(changedViewers(of(0, 1, 2), of(0, 2, 3))).toEqual({
      viewers_before: { role_at_most: 0, user_ids: [1] },
      viewers: { role_at_most: 0, user_ids: [3] },
    })
    expect(changedViewers(NO_GRANTEES, of(0, 3))?.viewers_before).toBeUndefined()
  })

  test('has all users if the roles differ, since a role may be the new ground of one of them', () => {
    expect(changedViewers(of(0, 1), of(300, 1))).toEqual({
      viewers_before: { role_at_most: 0, user_ids: [1] },
      viewers: { role_at_most: 300, user_ids: [1] },
    })
  })

  test('is null if only readers change, and so do grantees', () => {
    const readers = { ...of(0, 1), users: new Map([[1, true]]) }
    expect(changedViewers(of(0, 1), readers)).toBeNull()
    expect(isSameGrantees(of(0, 1), readers)).toBe(false)
    expect(isSameGrantees(of(0, 1), of(0, 1))).toBe(true)
  })
})

test('withdrawsReading is true if somebody loses the contents, and no otherwise', () => {
  const of = (readerRole: number, ...users: [number, boolean][]) => ({
    ...{ viewerRole: 400, admitsFullMembers: false },
    readerRole,
    users: new Map(users),
  })
  expect(withdrawsReading(of(0, [1, true]), of(0, [1, false]))).toBe(true)
  expect(withdrawsReading(of(0, [1, true]), of(0))).toBe(true)
  expect(withdrawsReading(of(400), of(300))).toBe(true)
  expect(withdrawsReading(of(0, [1, false]), of(0, [2, true]))).toBe(false)
})
