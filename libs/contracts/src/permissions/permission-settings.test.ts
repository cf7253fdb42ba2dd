import { describe, expect, test } from 'vitest'
import { groupSettingsToCheck, hasPermission, realmPermissionNames } from './permission-settings.ts'
import { Role } from './role.ts'

const user = { userId: 7, role: Role.member, isFullMember: false }
const none = () => false

describe('hasPermission', () => {
  test.each([
    ['a member of the system group', 5, { ...user }, true],
    ['a member who is too new for it', 4, { ...user }, false],
    ['a direct member', { direct_members: [7], direct_subgroups: [] }, { ...user }, true],
    ['another user', { direct_members: [8], direct_subgroups: [] }, { ...user }, false],
    ['a member of a custom group', 140, { ...user }, true],
    [
      'a member of one of several groups',
      { direct_members: [8], direct_subgroups: [141, 140] },
      { ...user },
      true,
    ],
    ['a member of no custom group', 141, { ...user }, false],
    [
      'a guest that the value names',
      { direct_members: [7], direct_subgroups: [140] },
      { ...user, role: Role.guest },
      false,
    ],
    ['an owner that the value does not name', 140, { ...user, userId: 1, role: Role.owner }, false],
  ])('%s', (_, value, subject, expected) => {
    const isInCustomGroup = (id: number) => id === 140 && subject.userId === 7
    expect(hasPermission({ allowsEveryone: false }, value, subject, isInCustomGroup)).toBe(expected)
  })

  test('a guest has a permission that everyone may have', () => {
    const guest = { ...user, role: Role.guest }
    expect(hasPermission({ allowsEveryone: true }, 6, guest, none)).toBe(true)
    expect(
      hasPermission({ allowsEveryone: true }, { direct_members: [7], direct_subgroups: [] }, guest, none),
    ).toBe(true)
    expect(hasPermission({ allowsEveryone: true }, 5, guest, none)).toBe(false)
  })
})

test('groupSettingsToCheck lists the values whose users and groups must exist', () => {
  expect(
    groupSettingsToCheck(realmPermissionNames, {
      can_create_bots_group: { new: { direct_members: [7], direct_subgroups: [140] }, old: 5 },
      can_delete_any_message_group: 140,
      can_resolve_topics_group: 50,
      can_mention_many_users_group: { direct_members: [], direct_subgroups: [5] },
    }),
  ).toEqual([{ direct_members: [7], direct_subgroups: [140] }, 140, 50])
})
