import type { CustomEmoji } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { emojiOfName, requestedEmoji, validateEmoji } from './chosen-emoji.ts'

const custom = (id: string, name: string, deactivated = false): CustomEmoji => ({
  id,
  name,
  deactivated,
  source_url: '/emoji.png',
  still_url: null,
  author_id: null,
})
const realm = {
  custom_emoji: [custom('1', 'party', true), custom('2', 'party'), custom('3', 'our_old', true)],
}
const shadowing = { custom_emoji: [custom('4', 'zulip'), custom('5', 'tada')] }

describe('the emoji that a name means', () => {
  test.each([
    [realm, 'tada', 'unicode_emoji', '1f389'],
    [realm, '+1', 'unicode_emoji', '1f44d'],
    [realm, 'zulip', 'zulip_extra_emoji', 'zulip'],
    [realm, 'party', 'realm_emoji', '2'],
    [shadowing, 'zulip', 'realm_emoji', '4'],
    [shadowing, 'tada', 'realm_emoji', '5'],
  ])('%#: %s is %s %s', (where, name, reaction_type, emoji_code) => {
    expect(emojiOfName(where, name)).toEqual({ emoji_name: name, emoji_code, reaction_type })
  })

  test.each(['', 'no_such_emoji', 'our_old', '__proto__', 'constructor'])('%j means none', (name) => {
    expect(() => emojiOfName(realm, name)).toThrow('does not exist')
  })
})

describe('the emoji that a client requests', () => {
  test.each([
    [{ emoji_name: 'tada' }, ['1f389', 'unicode_emoji']],
    [{ emoji_name: 'tada', emoji_code: '1f44d' }, ['1f44d', 'unicode_emoji']],
    [{ emoji_name: 'party', emoji_code: '2' }, ['2', 'realm_emoji']],
    [{ emoji_name: 'tada', reaction_type: 'realm_emoji' }, ['1f389', 'realm_emoji']],
    [{ emoji_name: 'whatever', emoji_code: 'x', reaction_type: 'unicode_emoji' }, ['x', 'unicode_emoji']],
    [{ emoji_name: 'no_such_emoji', emoji_code: '1f389' }, ['1f389', 'unicode_emoji']],
  ] as const)('%j is %j', (requested, [emoji_code, reaction_type]) => {
    expect(requestedEmoji(realm, requested)).toEqual({
      emoji_name: requested.emoji_name,
      emoji_code,
      reaction_type,
    })
  })

  test.each([{}, { reaction_type: 'unicode_emoji' as const }])(
    'needs a known name unless there is a code: %j',
    (rest) => {
      expect(() => requestedEmoji(realm, { emoji_name: 'no_such_emoji', ...rest })).toThrow('does not exist')
    },
  )
})

describe('an emoji for a first reaction', () => {
  const emoji = (reaction_type: string, emoji_code: string, emoji_name: string) => ({
    reaction_type: reaction_type as 'unicode_emoji',
    emoji_code,
    emoji_name,
  })

  test.each([
    ['unicode_emoji', '1f389', 'tada'],
    ['unicode_emoji', '1f44d', 'thumbs_up'],
    ['unicode_emoji', '1f44d', '+1'],
    ['zulip_extra_emoji', 'zulip', 'zulip'],
    ['realm_emoji', '2', 'party'],
  ])('may be %s %s %s unchanged', (...requested) => {
    expect(validateEmoji(realm, emoji(...requested))).toEqual(emoji(...requested))
  })

  test('gets its canonical name if its own name is unknown', () => {
    const requested = emoji('unicode_emoji', '1f389', 'no_such_emoji')
    expect(validateEmoji(realm, requested)).toEqual({ ...requested, emoji_name: 'tada' })
  })

  test.each([
    ['unicode_emoji', '1f389', 'heart', 'emoji name'],
    ['unicode_emoji', '1f44d', 'zulip', 'emoji name'],
    ['unicode_emoji', '1f44d', 'party', 'emoji name'],
    ['unicode_emoji', 'ffff', 'tada', 'emoji code'],
    ['unicode_emoji', '', 'tada', 'emoji code'],
    ['zulip_extra_emoji', 'other', 'other', 'emoji code'],
    ['zulip_extra_emoji', 'zulip', 'tada', 'emoji name'],
    ['realm_emoji', '9', 'party', 'custom emoji'],
    ['realm_emoji', '2', 'tada', 'custom emoji name'],
    ['realm_emoji', '3', 'our_old', 'deactivated'],
  ])('may not be %s %s %s', (type, code, name, message) => {
    expect(() => validateEmoji(realm, emoji(type, code, name))).toThrow(message)
  })
})
