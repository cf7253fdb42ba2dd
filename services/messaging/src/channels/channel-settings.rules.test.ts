import { Role, systemGroupIds } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkMayCreate, creationPermissionOf, parseChannelSettings } from './channel-settings.rules.ts'

const CREATOR = 7
const owner = { role: Role.owner, isPermitted: true }
const administrator = { role: Role.administrator, isPermitted: true }
const member = { role: Role.member, isPermitted: true }
const realm = { enable_spectator_access: true }

describe('parseChannelSettings', () => {
  test('a new channel is public, with its history, and open to every post', () => {
    expect(parseChannelSettings({}, CREATOR)).toEqual({
      inviteOnly: false,
      isWebPublic: false,
      isDefault: false,
      historyPublicToSubscribers: true,
      messageRetentionDays: null,
      permissions: {
        can_add_subscribers_group: systemGroupIds['role:nobody'],
        can_administer_channel_group: { direct_members: [CREATOR], direct_subgroups: [] },
        can_remove_subscribers_group: systemGroupIds['role:administrators'],
        can_send_message_group: systemGroupIds['role:everyone'],
        can_subscribe_group: systemGroupIds['role:nobody'],
      },
    })
  })

  test('a private channel protects its history unless the request shares it', () => {
    expect(parseChannelSettings({ invite_only: true }, CREATOR).historyPublicToSubscribers).toBe(false)
    const shared = { invite_only: true, history_public_to_subscribers: true }
    expect(parseChannelSettings(shared, CREATOR).historyPublicToSubscribers).toBe(true)
  })

  test.each([
    { invite_only: true, is_web_public: true },
    { history_public_to_subscribers: false },
    { is_web_public: true, history_public_to_subscribers: false },
    { invite_only: true, is_default_stream: true },
    { can_remove_subscribers_group: systemGroupIds['role:internet'] },
    { stream_post_policy: 1, can_send_message_group: 6 },
  ])('refuses %j', (requested) => {
    expect(() => parseChannelSettings(requested, CREATOR)).toThrow()
  })

  test('parses all forms of message_retention_days', () => {
    const daysOf = (message_retention_days: number | string) =>
      parseChannelSettings({ message_retention_days }, CREATOR).messageRetentionDays
    expect(daysOf('realm_default')).toBeNull()
    expect(daysOf('unlimited')).toBe(-1)
    expect(daysOf(30)).toBe(30)
    for (const bad of [0, -1, 2 ** 31, 'soon']) expect(() => daysOf(bad)).toThrow('message_retention_days')
  })
})

describe('checkMayCreate', () => {
  test.each([{}, { invite_only: true }, { is_web_public: true }])('needs the permission for %j', (kind) => {
    const create = (isPermitted: boolean) => () =>
      checkMayCreate({ role: Role.owner, isPermitted }, parseChannelSettings(kind, CREATOR), realm)

    expect(create(true)).not.toThrow()
    expect(create(false)).toThrow('Insufficient permission')
  })

  test('public, private and web-public channels each have a permission', () => {
    const permissions = [{}, { invite_only: true }, { is_web_public: true }].map((kind) =>
      creationPermissionOf(parseChannelSettings(kind, CREATOR)),
    )

    expect(permissions).toEqual([
      'can_create_public_channel_group',
      'can_create_private_channel_group',
      'can_create_web_public_channel_group',
    ])
  })

  test('web-public channels need web-public access', () => {
    const closed = { ...realm, enable_spectator_access: false }
    expect(() =>
      checkMayCreate(owner, parseChannelSettings({ is_web_public: true }, CREATOR), closed),
    ).toThrow()
  })

  test('only administrators create default channels', () => {
    expect(() =>
      checkMayCreate(member, parseChannelSettings({ is_default_stream: true }, CREATOR), realm),
    ).toThrow()
  })

  test('only owners set a retention of a channel', () => {
    const settings = parseChannelSettings({ message_retention_days: 7 }, CREATOR)
    expect(() => checkMayCreate(owner, settings, realm)).not.toThrow()
    const refuse = () => checkMayCreate(administrator, settings, realm)
    expect(refuse).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED_PRINCIPAL' }))
  })
})
