import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import {
  channelsOf,
  checkMayChange,
  checkPrivateChannels,
  readRequestedSettings,
  type SettingInput,
  withoutRepeatedHistory,
} from './setting-input.rules.ts'

const OWNER = Role.owner
const ADMINISTRATOR = Role.administrator

describe('checkMayChange', () => {
  test.each<[keyof SettingInput, SettingInput, number[]]>([
    ['name', { name: 'x' }, [OWNER, ADMINISTRATOR]],
    ['edit_topic_policy', { edit_topic_policy: 1 }, [OWNER, ADMINISTRATOR]],
    ['can_create_groups', { can_create_groups: 5 }, [OWNER]],
    ['user_group_edit_policy', { user_group_edit_policy: 1 }, [OWNER]],
    ['wildcard_mention_policy', { wildcard_mention_policy: 1 }, [OWNER, ADMINISTRATOR]],
    ['can_access_all_users_group', { can_access_all_users_group: 6 }, [OWNER, ADMINISTRATOR]],
    ['invite_required', { invite_required: true }, [OWNER]],
    ['invite_to_realm_policy', { invite_to_realm_policy: 1 }, [OWNER]],
    ['create_multiuse_invite_group', { create_multiuse_invite_group: 2 }, [OWNER]],
    ['emails_restricted_to_domains', { emails_restricted_to_domains: false }, [OWNER]],
    ['disallow_disposable_email_addresses', { disallow_disposable_email_addresses: true }, [OWNER]],
    ['waiting_period_threshold', { waiting_period_threshold: 0 }, [OWNER]],
    ['message_retention_days', { message_retention_days: 'unlimited' }, [OWNER]],
    ['audit_log_retention_days', { audit_log_retention_days: 'unlimited' }, [OWNER]],
    ['authentication_methods', { authentication_methods: {} }, [OWNER]],
    ['string_id', { string_id: '' }, [OWNER]],
  ])('%s, sent as %j, is for the roles %j', (_, input, roles) => {
    for (const role of [OWNER, ADMINISTRATOR]) {
      if (roles.includes(role)) expect(() => checkMayChange(input, role)).not.toThrow()
      else expect(() => checkMayChange(input, role)).toThrow('organization owner')
    }
  })
})

const WITHOUT = { hasBigBlueButton: false, minAuditRetentionDays: 30 }

describe('readRequestedSettings', () => {
  test.each<[string, SettingInput, object]>([
    ['a trimmed name', { name: ' Acme ' }, { name: 'Acme' }],
    ['permissions apart', { edit_topic_policy: 6 }, {}],
    ['false', { allow_message_editing: false }, { allow_message_editing: false }],
    ['no description', { description: '' }, { description: '' }],
    ['a time', { message_content_edit_limit_seconds: 60 }, { message_content_edit_limit_seconds: 60 }],
    [
      'an unlimited time',
      { message_content_edit_limit_seconds: 'unlimited' },
      { message_content_edit_limit_seconds: null },
    ],
    ['days', { message_retention_days: 30 }, { message_retention_days: 30 }],
    ['days of the audit log', { audit_log_retention_days: 30 }, { audit_log_retention_days: 30 }],
    ['an unlimited audit log', { audit_log_retention_days: 'unlimited' }, { audit_log_retention_days: -1 }],
    ['unlimited days', { message_retention_days: 'unlimited' }, { message_retention_days: -1 }],
    ['no waiting', { waiting_period_threshold: 0 }, { waiting_period_threshold: 0 }],
    ['a language', { default_language: 'zh-hans' }, { default_language: 'zh-hans' }],
    ['a language of code', { default_code_block_language: 'c++' }, { default_code_block_language: 'c++' }],
    [
      'a server for calls',
      { jitsi_server_url: 'https://meet.example.com' },
      { jitsi_server_url: 'https://meet.example.com' },
    ],
    ["the installation's server for calls", { jitsi_server_url: 'default' }, { jitsi_server_url: null }],
  ])('takes %s', (_, input, wanted) => {
    expect(readRequestedSettings(input, WITHOUT)).toEqual(wanted)
  })

  test.each<[string, SettingInput]>([
    ['a blank name', { name: ' ' }],
    ['a name of 41 characters', { name: 'x'.repeat(41) }],
    ['a description of 1001 characters', { description: 'x'.repeat(1_001) }],
    ['a language that is markup', { default_code_block_language: '<b>' }],
    ['a server for calls that is a script', { jitsi_server_url: 'javascript:alert(1)' }],
    ['another address', { string_id: 'elsewhere' }],
    ['calls with what the installation lacks', { video_chat_provider: 4 }],
  ])('refuses %s', (_, input) => {
    expect(() => readRequestedSettings(input, WITHOUT)).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST' }),
    )
  })

  test.each<[keyof SettingInput, number | string]>([
    ['waiting_period_threshold', -1],
    ['waiting_period_threshold', 2 ** 31],
    ['waiting_period_threshold', 'unlimited'],
    ['message_content_edit_limit_seconds', 0],
    ['message_content_delete_limit_seconds', -5],
    ['move_messages_within_stream_limit_seconds', 'soon'],
    ['message_retention_days', 0],
  ])('rejects %s with the value %j, and names both', (name, value) => {
    expect(() => readRequestedSettings({ [name]: value }, WITHOUT)).toThrow(
      expect.objectContaining({
        code: 'REQUEST_VARIABLE_INVALID',
        details: { var_name: name, bad_value: String(value) },
      }),
    )
  })

  test.each([29, 0, -1, 36_501])('refuses to keep the audit log for %j days', (audit_log_retention_days) => {
    expect(() => readRequestedSettings({ audit_log_retention_days }, WITHOUT)).toThrow('between 30 and 36500')
  })

  test('keeps the audit log for as long as the installation wants at least', () => {
    const installation = { ...WITHOUT, minAuditRetentionDays: 90 }
    const read = (audit_log_retention_days: number) =>
      readRequestedSettings({ audit_log_retention_days }, installation)
    expect(() => read(89)).toThrow('between 90 and 36500')
    expect(read(90)).toEqual({ audit_log_retention_days: 90 })
  })

  test('accepts calls with BigBlueButton if the installation has it', () => {
    expect(
      readRequestedSettings(
        { video_chat_provider: 4 },
        { hasBigBlueButton: true, minAuditRetentionDays: 30 },
      ),
    ).toEqual({
      video_chat_provider: 4,
    })
  })
})

test('channelsOf finds the channels to check', () => {
  expect(channelsOf({ signup_announcements_stream_id: 7, new_stream_announcements_stream_id: -1 })).toEqual([
    7,
  ])
})

test('checkPrivateChannels refuses a public channel only where a private one is asked for', () => {
  const channels = [
    { stream_id: 7, invite_only: false },
    { stream_id: 8, invite_only: true },
  ]

  expect(() => checkPrivateChannels({ moderation_request_channel_id: 7 }, channels)).toThrow(
    'private channel',
  )
  expect(() => checkPrivateChannels({ moderation_request_channel_id: 8 }, channels)).not.toThrow()
  expect(() => checkPrivateChannels({ signup_announcements_stream_id: 7 }, channels)).not.toThrow()
})

test.each([
  ['moves', true, {}],
  ['all', true, {}],
  ['none', false, {}],
  ['moves', false, { allow_edit_history: false, message_edit_history_visibility_policy: 'none' }],
  ['none', true, { allow_edit_history: true, message_edit_history_visibility_policy: 'all' }],
] as const)('under %s, allow_edit_history %j changes %j', (policy, allow_edit_history, changes) => {
  const input = { allow_edit_history }
  const requested = readRequestedSettings(input, { hasBigBlueButton: false, minAuditRetentionDays: 30 })
  const present = { message_edit_history_visibility_policy: policy }
  expect(withoutRepeatedHistory(requested, input, present)).toEqual(changes)
})
