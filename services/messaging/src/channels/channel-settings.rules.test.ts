import { Policy, Role, systemGroupIds } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { checkMayCreate, creationGroupOf, parseChannelSettings } from './channel-settings.rules.ts'

const owner = { role: Role.owner, isFullMember: true, isInGroup: true }
const administrator = { role: Role.administrator, isFullMember: true, isInGroup: true }
const member = { role: Role.member, isFullMember: true, isInGroup: false }
const realm = {
  create_public_stream_policy: Policy.members,
  create_private_stream_policy: Policy.moderators,
  create_web_public_stream_policy: Policy.owners,
  private_message_policy: 1,
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

  test('a private channel protects its history unless the request shares it', () => {
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

  test('parses all forms of message_retention_days', () => {
    const daysOf = (message_retention_days: number | string) =>
      parseChannelSettings({ message_retention_days }).messageRetentionDays
    expect(daysOf('realm_default')).toBeNull()
    expect(daysOf('unlimited')).toBe(-1)
    expect(daysOf(30)).toBe(30)
    for (const bad of [0, -1, 2 ** 31, 'soon']) expect(() => daysOf(bad)).toThrow('message_retention_days')
  })
})

describe('checkMayCreate', () => {
  test('applies the policy for web-public channels', () => {
    const create = (creator: Parameters<typeof checkMayCreate>[0]) => () =>
      checkMayCreate(creator, parseChannelSettings({ is_web_public: true }), realm)

    expect(create(administrator)).toThrow('Insufficient permission')
    expect(create(owner)).not.toThrow()
  })

  test.each([
    { role: Role.member, isInGroup: true, mayCreate: true },
    { role: Role.owner, isInGroup: false, mayCreate: false },
    { role: Role.guest, isInGroup: true, mayCreate: false },
  ])(
    'role $role, in the group of creators: $isInGroup, may create: $mayCreate',
    ({ role, isInGroup, mayCreate }) => {
      for (const kind of [{}, { invite_only: true }]) {
        const create = () =>
          checkMayCreate({ role, isFullMember: true, isInGroup }, parseChannelSettings(kind), realm)
        if (mayCreate) expect(create).not.toThrow()
        else expect(create).toThrow('Insufficient permission')
      }
    },
  )

  test('public and private channels each have a group of creators, web-public ones a policy', () => {
    const groups = { ...realm, can_create_public_channel_group: 101, can_create_private_channel_group: 102 }
    const of = (settings: Parameters<typeof parseChannelSettings>[0]) =>
      creationGroupOf(parseChannelSettings(settings), groups)

    expect([of({}), of({ invite_only: true }), of({ is_web_public: true })]).toEqual([101, 102, null])
    expect(creationGroupOf(parseChannelSettings({}), realm)).toBe(systemGroupIds['role:members'])
  })

  test('web-public channels need web-public access', () => {
    const closed = { ...realm, enable_spectator_access: false }
    expect(() => checkMayCreate(owner, parseChannelSettings({ is_web_public: true }), closed)).toThrow()
  })

  test('only administrators create default channels', () => {
    expect(() => checkMayCreate(member, parseChannelSettings({ is_default_stream: true }), realm)).toThrow()
  })

  test('only owners set a retention of a channel', () => {
    const settings = parseChannelSettings({ message_retention_days: 7 })
    expect(() => checkMayCreate(owner, settings, realm)).not.toThrow()
    const refuse = () => checkMayCreate(administrator, settings, realm)
    expect(refuse).toThrow(expect.objectContaining({ code: 'UNAUTHORIZED_PRINCIPAL' }))
  })
})
