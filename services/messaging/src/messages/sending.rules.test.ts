import { Role } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import type { Channel } from '../channels/channel.queries.ts'
import {
  checkEcho,
  checkPosting,
  checkRecipients,
  isFreeOfPermission,
  isReadBySender,
  mayMentionMany,
  noSuchChannel,
} from './sending.rules.ts'

describe('isReadBySender', () => {
  test.each(['website', 'ZulipMobile', 'ZulipElectron', 'My Desktop App'])('%s: yes', (client) => {
    expect(isReadBySender(undefined, client)).toBe(true)
  })
  test.each(['curl', 'Python', 'website2', ''])('%j: no', (client) => {
    expect(isReadBySender(undefined, client)).toBe(false)
  })
})

describe('checkEcho', () => {
  test('refuses a queue without an ID to echo to it', () => {
    expect(() => checkEcho('q', '1')).not.toThrow()
    expect(() => checkEcho(undefined, undefined)).not.toThrow()
    expect(() => checkEcho(undefined, '1')).not.toThrow()
    expect(() => checkEcho('q', undefined)).toThrow('queue_id requires local_id')
  })
})

describe('checkPosting', () => {
  const as = (role: number, isSubscribed = false) => ({
    standing: { role, isFullMember: true },
    isSubscribed,
  })
  const bot = as(Role.member)
  const openTo = (streamPostPolicy: number, inviteOnly = false) =>
    ({ inviteOnly, isWebPublic: false, streamPostPolicy }) as Channel
  const post = (poster: typeof bot, channel: Channel, owner: ReturnType<typeof as> | null = null) =>
    checkPosting(poster.standing, { channel, isSubscribed: poster.isSubscribed }, { id: 7 }, owner)

  test.each([
    ['by their own right', bot, openTo(1), null],
    ['in a private channel that they are in', as(Role.member, true), openTo(1, true), null],
    ['in a private channel that the owner is in', bot, openTo(1, true), as(Role.member, true)],
    ['where administrators do, as the bot of one', bot, openTo(2), as(Role.administrator)],
  ])('lets someone post %s', (_, poster, channel, owner) => {
    expect(() => post(poster, channel, owner)).not.toThrow()
  })

  test.each([
    ['in a private channel of others', bot, openTo(1, true), null, 'Not authorized'],
    ['there as the bot of an administrator', bot, openTo(1, true), as(Role.owner), 'Not authorized'],
    ['where administrators do', bot, openTo(2), as(Role.moderator, true), 'permission to post'],
  ])('lets nobody post %s', (_, poster, channel, owner, message) => {
    expect(() => post(poster, channel, owner)).toThrow(message)
  })
})

describe('checkRecipients and isFreeOfPermission', () => {
  const person = (user_id: number) => ({
    user_id,
    is_bot: false,
    is_active: true,
    email: `u${user_id}@x.org`,
  })
  const bot = (user_id: number) => ({ ...person(user_id), is_bot: true })

  test('refuses a recipient who is deactivated', () => {
    const gone = { ...person(2), is_active: false }
    expect(() => checkRecipients(person(1), [gone])).toThrow('u2@x.org')
  })

  test('lets through as many people as it may go to, beside the sender', () => {
    const people = Array.from({ length: 252 }, (_, id) => person(id))
    expect(() => checkRecipients(person(0), people)).toThrow('limit: 250')
    expect(() => checkRecipients(person(0), people.slice(0, 251))).not.toThrow()
    // Two addresses may be of one.
    expect(() => checkRecipients(person(0), [...people.slice(0, 251), person(1)])).not.toThrow()
  })

  test('permission to write is needed unless a bot is at one end, or the sender alone', () => {
    expect(isFreeOfPermission(person(1), [person(2)])).toBe(false)
    expect(isFreeOfPermission(person(1), [bot(2), bot(3)])).toBe(false)
    expect(isFreeOfPermission(person(1), [person(1), bot(2)])).toBe(true)
    expect(isFreeOfPermission(bot(1), [person(2), person(3)])).toBe(true)
    expect(isFreeOfPermission(person(1), [person(1)])).toBe(true)
  })
})

describe('mayMentionMany', () => {
  const standing = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 }
  test.each([
    [1, ['owner', 'administrator', 'moderator', 'member', 'guest']],
    [2, ['owner', 'administrator', 'moderator', 'member']],
    [5, ['owner', 'administrator']],
    [6, []],
    [7, ['owner', 'administrator', 'moderator']],
  ])('policy %i lets %j', (policy, expected) => {
    const allowed = Object.entries(standing)
      .filter(([, role]) => mayMentionMany(policy, { role, isFullMember: false }))
      .map(([name]) => name)
    expect(allowed).toEqual(expected)
  })

  test('policy 3 lets full members', () => {
    expect(mayMentionMany(3, { role: 400, isFullMember: true })).toBe(true)
    expect(mayMentionMany(3, { role: 400, isFullMember: false })).toBe(false)
  })
})

describe('noSuchChannel', () => {
  test('says how the channel was addressed', () => {
    expect(noSuchChannel({ id: 7 }).details).toEqual({ stream_id: 7 })
    expect(noSuchChannel({ name: '<b>' }).details).toEqual({ stream: '&lt;b&gt;' })
  })
})
