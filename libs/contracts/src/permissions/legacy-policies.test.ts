import { describe, expect, test } from 'vitest'
import { legacyPoliciesOf, legacyPolicyNames, permissionsOfPolicy } from './legacy-policies.ts'
import {
  defaultGroupSetting,
  type RealmPermissionValues,
  realmPermissionNames,
  realmPermissions,
} from './permission-settings.ts'
import { systemGroupIds } from './system-groups.ts'

const defaults = Object.fromEntries(
  realmPermissionNames.map((name) => [name, defaultGroupSetting(realmPermissions[name])]),
) as RealmPermissionValues

describe('legacyPoliciesOf', () => {
  test('returns the defaults of older servers for the defaults', () => {
    expect(legacyPoliciesOf(defaults)).toEqual({
      add_custom_emoji_policy: 1,
      bot_creation_policy: 1,
      create_private_stream_policy: 1,
      create_public_stream_policy: 1,
      create_web_public_stream_policy: 7,
      delete_own_message_policy: 5,
      edit_topic_policy: 5,
      invite_to_realm_policy: 1,
      invite_to_stream_policy: 1,
      move_messages_between_streams_policy: 1,
      private_message_policy: 1,
      user_group_edit_policy: 1,
      wildcard_mention_policy: 5,
    })
  })

  test('returns each value that a client of a policy sets', () => {
    for (const policy of legacyPolicyNames)
      for (let value = 1; value <= 7; value++) {
        const permissions = permissionsOfPolicy(policy, value)
        if (Object.keys(permissions).length === 0) continue
        expect(legacyPoliciesOf({ ...defaults, ...permissions })[policy], policy).toBe(value)
      }
  })

  test.each([
    ['delete_own_message_policy', 'can_delete_own_message_group', 140, 5],
    [
      'edit_topic_policy',
      'can_move_messages_between_topics_group',
      { direct_members: [7], direct_subgroups: [] },
      5,
    ],
    ['invite_to_stream_policy', 'can_add_subscribers_group', systemGroupIds['role:owners'], 1],
    ['create_web_public_stream_policy', 'can_create_web_public_channel_group', 140, 4],
    ['wildcard_mention_policy', 'can_mention_many_users_group', systemGroupIds['role:owners'], 1],
    ['private_message_policy', 'direct_message_permission_group', systemGroupIds['role:moderators'], 1],
    ['private_message_policy', 'direct_message_permission_group', systemGroupIds['role:nobody'], 2],
    ['bot_creation_policy', 'can_create_bots_group', systemGroupIds['role:administrators'], 2],
    ['edit_topic_policy', 'can_resolve_topics_group', systemGroupIds['role:moderators'], 5],
  ] as const)('returns as %s of %s %j the value %i', (policy, permission, value, expected) => {
    expect(legacyPoliciesOf({ ...defaults, [permission]: value })[policy]).toBe(expected)
  })
})
