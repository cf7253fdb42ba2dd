import {
  checkGroupSetting,
  type GroupSettingValue,
  legacyPoliciesOf,
  legacyPolicyNames,
  permissionNamesOfPolicy,
  type RealmPermission,
  type RealmPermissionValues,
  realmPermissions,
  systemGroupIds,
} from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { realmPermissionSettings } from '../kernel/realms/stored-settings.ts'
import { type PermissionInput, readRequestedPermissions } from './permission-input.rules.ts'

const present: RealmPermissionValues = realmPermissionSettings.parse({})
const members = systemGroupIds['role:members']
const moderators = systemGroupIds['role:moderators']
const nobody = systemGroupIds['role:nobody']

function isAccepted(name: RealmPermission, value: GroupSettingValue): boolean {
  try {
    checkGroupSetting(name, realmPermissions[name], value)
    return true
  } catch {
    return false
  }
}

describe('readRequestedPermissions', () => {
  test.each<[string, PermissionInput, object]>([
    [
      'a system group',
      { can_delete_any_message_group: moderators },
      { can_delete_any_message_group: moderators },
    ],
    ['the current value', { can_create_bots_group: members }, {}],
    [
      'an anonymous group, ascending',
      { can_create_bots_group: { direct_members: [9, 7, 9], direct_subgroups: [140, 3] } },
      { can_create_bots_group: { direct_members: [7, 9], direct_subgroups: [3, 140] } },
    ],
    [
      'an anonymous group that is one group',
      { can_create_bots_group: { direct_members: [], direct_subgroups: [140] } },
      { can_create_bots_group: 140 },
    ],
    [
      'an empty anonymous group',
      { can_create_bots_group: { direct_members: [], direct_subgroups: [] } },
      { can_create_bots_group: nobody },
    ],
    [
      'a value with the one that the client knows, in another form',
      {
        can_create_bots_group: { new: 140, old: { direct_members: [], direct_subgroups: [members] } },
      },
      { can_create_bots_group: 140 },
    ],
    [
      'a policy, which stands for several permissions',
      { private_message_policy: 2 },
      { direct_message_initiator_group: nobody, direct_message_permission_group: nobody },
    ],
  ])('takes %s', (_, input, changes) => {
    expect(readRequestedPermissions(input, present, present)).toEqual(changes)
  })

  test('changes nothing for a policy that is sent back as it was read, whatever the permissions are', () => {
    const valuesOf = (name: RealmPermission): GroupSettingValue[] => [
      ...Object.values(systemGroupIds).filter((id) => isAccepted(name, id)),
      ...[140, { direct_members: [7], direct_subgroups: [140] }].filter((value) => isAccepted(name, value)),
    ]
    for (const policy of legacyPolicyNames) {
      const combinations = permissionNamesOfPolicy(policy).reduce<RealmPermissionValues[]>(
        (all, name) => all.flatMap((one) => valuesOf(name).map((value) => ({ ...one, [name]: value }))),
        [present],
      )
      for (const values of combinations) {
        const input = { [policy]: legacyPoliciesOf(values)[policy] }
        expect(readRequestedPermissions(input, values, values), JSON.stringify(input)).toEqual({})
      }
    }
  })

  test.each<[string, PermissionInput, string, object?]>([
    [
      'a policy and a permission that it stands for',
      { private_message_policy: 1, direct_message_permission_group: nobody },
      'REQUEST_CONFUSING_VAR',
    ],
    [
      'a change of another value than the current one',
      { can_create_bots_group: { new: 140, old: moderators } },
      'EXPECTATION_MISMATCH',
      { field_name: 'old' },
    ],
    [
      'an anonymous group where only a system group will do',
      { can_access_all_users_group: { direct_members: [7], direct_subgroups: [] } },
      'SYSTEM_GROUP_REQUIRED',
      { setting_name: 'can_access_all_users_group' },
    ],
    ['a custom group there', { can_create_web_public_channel_group: 140 }, 'SYSTEM_GROUP_REQUIRED'],
    ['a system group that is not offered', { can_access_all_users_group: moderators }, 'BAD_REQUEST'],
    ['nobody for what somebody must do', { can_manage_all_groups: nobody }, 'BAD_REQUEST'],
    ['everyone for what guests cannot do', { can_create_bots_group: 6 }, 'BAD_REQUEST'],
    ['everyone on the internet', { can_mention_many_users_group: 7 }, 'BAD_REQUEST'],
    [
      'everyone on the internet within an anonymous group',
      { can_mention_many_users_group: { direct_members: [7], direct_subgroups: [7] } },
      'BAD_REQUEST',
    ],
  ])('rejects %s', (_, input, code, details = {}) => {
    expect(() => readRequestedPermissions(input, present, present)).toThrow(
      expect.objectContaining({ code, details: expect.objectContaining(details) }),
    )
  })
})
