import { describe, expect, test } from '@jest/globals'
import { Policy, Role, systemGroupIds } from '@tms/contracts'
import { checkMayCreate, parseChannelSettings } from './channel-settings.rules.ts'

const owner = { role: Role.owner, isFullMember: true }
const administrator = { role: Role.administrator, isFullMember: true }
const member = { role: Role.member, isFullMember: true }
const realm = {
  create_public_stream_policy: Policy.members,
  create_private_stream_policy: Policy.moderators,
  create_web_public_stream_policy: Policy.owners,
  enable_spectator_access: true,
}

describe('parseChannelSettings', () => {
  test('a new channel is public, with its history, and open to every post', () => {
    expect(parseChannelSettings({})).toEqual({
      inviteOnly: false,
      isWebPublic: false,
      isDefault: false,
      historyPublicToSubscribers: true,
      streamPostPolicy: 1,
      messageRetentionDays: null,
      canRemoveSubscribersGroup: systemGroupIds['role:administrators'],
    })
  })

  test('a private channel protects its history unless told otherwise', () => {
    expect(parseChannelSettings({ invite_only: true }).historyPublicToSubscribers).toBe(false)
    const shared = { invite_only: true, history_public_to_subscribers: true }
    expect(parseChannelSettings(shared).historyPublicToSubscribers).toBe(true)
  })

  test.each([
    { invite_only: true, is_web_public: true },
    { history_public_to_subscribers: false },
    { is_web_public: true, history_public_to_subscribers: false },
    { invite_only: true, is_default_stream: true },
    { can_remove_subscribers_group: systemGroupIds['role:nobody'] },
    { can_remove_subscribers_group: 4711 },
  ])('refuses %j', (requested) => {
    expect(() => parseChannelSettings(requested)).toThrow()
  })

  test('reads all forms of message_retention_days', () => {
    const daysOf = (message_retention_days: number | string) =>
      parseChannelSettings({ message_retention_days }).messageRetentionDays
    expect(daysOf('realm_default')).toBeNull()
    expect(daysOf('unlimited')).toBe(-1)
    expect(daysOf(30)).toBe(30)
    for (const bad of [0, -1, 2 ** 31, 'soon']) expect(() => daysOf(bad)).toThrow('message_retention_days')
  })
})

describe('checkMayCreate', () => {
  test('goes by the policy for the kind of channel', () => {
    expect(() => checkMayCreate(member, parseChannelSettings({}), realm)).not.toThrow()
    expect(() => checkMayCreate(member, parseChannelSettings({ invite_only: true }), realm)).toThrow()
    expect(() =>
      checkMayCreate(administrator, parseChannelSettings({ invite_only: true }), realm),
    ).not.toThrow()
    expect(() =>
      checkMayCreate(administrator, parseChannelSettings({ is_web_public: true }), realm),
    ).toThrow()
    expect(() => checkMayCreate(owner, parseChannelSettings({ is_web_public: true }), realm)).not.toThrow()
  })

  const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 }
  test.each([
    { policy: 'owners', may: 'owner' },
    { policy: 'administrators', may: 'owner administrator' },
    { policy: 'moderators', may: 'owner administrator moderator' },
    { policy: 'fullMembers', may: 'owner administrator moderator' },
    { policy: 'members', may: 'owner administrator moderator member' },
    { policy: 'nobody', may: '' },
  ] as const)('policy $policy lets create, of any kind, a new: $may', ({ policy, may }) => {
    const value = Policy[policy]
    const open = {
      create_public_stream_policy: value,
      create_private_stream_policy: value,
      create_web_public_stream_policy: value,
      enable_spectator_access: true,
    }
    for (const kind of [{}, { invite_only: true }, { is_web_public: true }]) {
      const creators = Object.entries(roles).filter(([, role]) => {
        const newcomer = { role, isFullMember: role <= Role.moderator }
        try {
          checkMayCreate(newcomer, parseChannelSettings(kind), open)
          return true
        } catch {
          return false
        }
      })
      expect(creators.map(([name]) => name).join(' ')).toBe(may)
    }
  })

  test('web-public channels need web-public access', () => {
    const closed = { ...realm, enable_spectator_access: false }
    expect(() => checkMayCreate(owner, parseChannelSettings({ is_web_public: true }), closed)).toThrow()
  })

  test('default channels are made by administrators', () => {
    expect(() => checkMayCreate(member, parseChannelSettings({ is_default_stream: true }), realm)).toThrow()
  })

  test('a retention of its own is for owners', () => {
    const settings = parseChannelSettings({ message_retention_days: 7 })
    expect(() => checkMayCreate(owner, settings, realm)).not.toThrow()
    const refuse = () => checkMayCreate(administrator, settings, realm)
    expect(refuse).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED_PRINCIPAL' }))
  })
})
