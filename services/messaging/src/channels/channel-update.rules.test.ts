import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import {
  applyUpdate,
  type CurrentChannel,
  checkArchivedUpdate,
  checkMayUpdate,
  isNewName,
  mayChangeViewers,
  widensVisibility,
} from './channel-update.rules.ts'

const aChannel = (changes: Partial<CurrentChannel> = {}): CurrentChannel => ({
  stream_id: 1,
  name: 'general',
  description: 'old',
  rendered_description: '<p>old</p>',
  date_created: 0,
  creator_id: null,
  first_message_id: null,
  invite_only: false,
  is_web_public: false,
  history_public_to_subscribers: true,
  stream_post_policy: 1,
  can_send_message_group: 6,
  can_subscribe_group: 8,
  can_add_subscribers_group: 8,
  can_administer_channel_group: 8,
  message_retention_days: null,
  can_remove_subscribers_group: 2,
  is_announcement_only: false,
  is_archived: false,
  stream_weekly_traffic: null,
  is_recently_active: true,
  is_default: false,
  ...changes,
})
const isPublic = {}
const webPublic = { is_web_public: true }
const shared = { invite_only: true }
const isProtected = { invite_only: true, history_public_to_subscribers: false }

describe('applyUpdate', () => {
  test('leaves unnamed settings unchanged', () => {
    const current = aChannel({
      message_retention_days: 30,
      can_subscribe_group: 8,
      can_send_message_group: 3,
      is_default: true,
    })

    expect(applyUpdate(current, {})).toEqual({
      name: 'general',
      description: 'old',
      inviteOnly: false,
      isWebPublic: false,
      isDefault: true,
      historyPublicToSubscribers: true,
      messageRetentionDays: 30,
      permissions: {
        can_add_subscribers_group: 8,
        can_administer_channel_group: 8,
        can_remove_subscribers_group: 2,
        can_send_message_group: 3,
        can_subscribe_group: 8,
      },
    })
  })

  test.each([
    { from: isPublic, ask: { is_private: true }, becomes: 'protected' },
    { from: isPublic, ask: { is_private: true, history_public_to_subscribers: true }, becomes: 'shared' },
    { from: isPublic, ask: { is_web_public: true }, becomes: 'web-public' },
    { from: isPublic, ask: { is_private: false }, becomes: 'public' },
    { from: webPublic, ask: { is_private: true }, becomes: 'protected' },
    { from: webPublic, ask: { is_private: false }, becomes: 'web-public' },
    { from: webPublic, ask: { is_web_public: false }, becomes: 'public' },
    { from: shared, ask: { is_private: true }, becomes: 'protected' },
    { from: shared, ask: { history_public_to_subscribers: false }, becomes: 'protected' },
    { from: isProtected, ask: { history_public_to_subscribers: true }, becomes: 'shared' },
    { from: isProtected, ask: { is_private: false }, becomes: 'public' },
    { from: isProtected, ask: { is_private: false, is_web_public: true }, becomes: 'web-public' },
    { from: isProtected, ask: { description: 'new' }, becomes: 'protected' },
  ])('changes $from to $becomes by $ask', ({ from, ask, becomes }) => {
    const { inviteOnly, isWebPublic, historyPublicToSubscribers } = applyUpdate(aChannel(from), ask)

    expect({ inviteOnly, isWebPublic, historyPublicToSubscribers }).toEqual({
      inviteOnly: becomes === 'shared' || becomes === 'protected',
      isWebPublic: becomes === 'web-public',
      historyPublicToSubscribers: becomes !== 'protected',
    })
  })

  test.each([
    { from: isPublic, ask: { history_public_to_subscribers: false } },
    { from: isPublic, ask: { is_private: true, is_web_public: true } },
    { from: isPublic, ask: { is_private: true, is_default_stream: true } },
    { from: { is_default: true }, ask: { is_private: true } },
    { from: shared, ask: { is_web_public: true } },
    { from: shared, ask: { is_default_stream: true } },
    { from: isPublic, ask: { new_name: 'general' } },
    { from: isPublic, ask: { new_name: ' ' } },
    { from: isPublic, ask: { new_name: 'x'.repeat(61) } },
    { from: isPublic, ask: { new_name: 'a\u0007' } },
    { from: isPublic, ask: { description: 'x'.repeat(1025) } },
    { from: isPublic, ask: { can_remove_subscribers_group: 7 } },
    { from: isPublic, ask: { message_retention_days: 0 } },
  ])('rejects $ask for $from', ({ from, ask }) => {
    expect(() => applyUpdate(aChannel(from), ask)).toThrow()
  })

  test.each([
    [{ is_announcement_only: true }, 2],
    [{ is_announcement_only: true, stream_post_policy: 4 }, 3],
    [{ stream_post_policy: 3 }, 4],
    [{ stream_post_policy: 1 }, 3],
    [{ is_announcement_only: false }, 3],
    [{ can_send_message_group: { new: 140, old: 3 } }, 140],
  ])('%j lets group %i post', (ask, group) => {
    const { permissions } = applyUpdate(aChannel({ can_send_message_group: 3 }), ask)
    expect(permissions.can_send_message_group).toBe(group)
  })

  test('is_announcement_only ends if it was set', () => {
    const current = aChannel({ can_send_message_group: 2, stream_post_policy: 2, is_announcement_only: true })
    expect(applyUpdate(current, { is_announcement_only: false }).permissions.can_send_message_group).toBe(6)
  })

  test.each([
    ['realm_default', null],
    ['unlimited', -1],
    [30, 30],
  ])('retention %j is %j days', (message_retention_days, days) => {
    const current = aChannel({ message_retention_days: 7 })
    expect(applyUpdate(current, { message_retention_days }).messageRetentionDays).toBe(days)
  })
})

describe('isNewName', () => {
  test('another spelling of the same name is not new', () => {
    expect(isNewName(aChannel(), 'General')).toBe(false)
    expect(isNewName(aChannel(), 'generals')).toBe(true)
  })
})

describe('checkMayUpdate', () => {
  const realm = { enable_spectator_access: true }
  const as = (role: number, mayRead = false) => ({
    role,
    mayRead,
    mayCreateWebPublic: role === Role.owner,
  })
  const administrator = as(Role.administrator)

  test.each([
    { ask: { is_private: false }, of: shared, who: as(Role.owner), may: false },
    { ask: { is_private: false }, of: shared, who: as(Role.administrator, true), may: true },
    { ask: { is_private: true }, of: shared, who: administrator, may: false },
    { ask: { history_public_to_subscribers: true }, of: shared, who: administrator, may: false },
    { ask: { can_add_subscribers_group: 5 }, of: shared, who: as(Role.owner), may: false },
    { ask: { can_subscribe_group: 5 }, of: shared, who: administrator, may: false },
    { ask: { can_subscribe_group: 5 }, of: shared, who: as(Role.member, true), may: true },
    { ask: { can_subscribe_group: 5 }, of: isPublic, who: administrator, may: true },
    { ask: { can_send_message_group: 5 }, of: shared, who: administrator, may: true },
    { ask: { is_private: true }, of: isPublic, who: administrator, may: true },
    { ask: { new_name: 'x' }, of: shared, who: administrator, may: true },
    { ask: { is_web_public: true }, of: isPublic, who: administrator, may: false },
    { ask: { is_web_public: true }, of: isPublic, who: as(Role.owner), may: true },
    { ask: { is_web_public: true }, of: webPublic, who: administrator, may: true },
    { ask: { message_retention_days: 30 }, of: isPublic, who: administrator, may: false },
    { ask: { is_default_stream: true }, of: isPublic, who: as(Role.member, true), may: false },
    { ask: { new_name: 'x' }, of: shared, who: as(Role.member, true), may: true },
    { ask: { message_retention_days: 30 }, of: isPublic, who: as(Role.owner), may: true },
  ])('role $who.role, may read $who.mayRead: $ask of $of: $may', ({ ask, of, who, may }) => {
    const check = () => checkMayUpdate(who, aChannel(of), ask, realm)
    if (may) expect(check).not.toThrow()
    else expect(check).toThrow()
  })

  test('nobody makes a channel web-public in an organization without web-public access', () => {
    const closed = { ...realm, enable_spectator_access: false }
    expect(() => checkMayUpdate(as(Role.owner), aChannel(), { is_web_public: true }, closed)).toThrow()
  })

  test('nobody makes the channel for reports about messages public', () => {
    const check = (moderation_request_channel_id: number | undefined) =>
      checkMayUpdate(
        as(Role.owner, true),
        aChannel({ invite_only: true }),
        { is_private: false },
        { ...realm, moderation_request_channel_id },
      )
    expect(() => check(1)).toThrow('must be private')
    expect(() => check(2)).not.toThrow()
    expect(() => check(undefined)).not.toThrow()
  })
})

describe('widensVisibility', () => {
  const sees = (before: Partial<CurrentChannel>, after: Partial<CurrentChannel>) =>
    widensVisibility(aChannel(before), aChannel(after))

  test('is true if a channel becomes public or web-public', () => {
    expect(sees(shared, isPublic)).toBe(true)
    expect(sees(isPublic, webPublic)).toBe(true)
    expect(sees(isPublic, shared)).toBe(false)
    expect(sees(webPublic, isPublic)).toBe(false)
    expect(sees(shared, isProtected)).toBe(false)
  })
})

describe('mayChangeViewers', () => {
  const members = (...direct_members: number[]) => ({ direct_members, direct_subgroups: [] })
  const current = aChannel({ ...shared, can_subscribe_group: members(5) })
  // Another user is deactivated.
  const stored = { ...current, can_subscribe_group: members(5, 6) }

  test('compares with stored permissions, which have deactivated users', () => {
    expect(mayChangeViewers(current, stored, applyUpdate(current, { new_name: 'other' }, stored))).toBe(false)
    const update = { can_subscribe_group: { new: members(5), old: undefined } }
    expect(mayChangeViewers(current, stored, applyUpdate(current, update, stored))).toBe(true)
  })
})

describe('checkArchivedUpdate', () => {
  test('allows only changes of privacy', () => {
    const check = (update: object) => () => checkArchivedUpdate({ stream_id: 1, ...update })

    expect(check({ is_private: true, history_public_to_subscribers: true })).not.toThrow()
    for (const update of [{}, { description: 'x' }, { is_private: true, new_name: 'x' }])
      expect(check(update)).toThrow('Invalid channel ID')
  })
})
