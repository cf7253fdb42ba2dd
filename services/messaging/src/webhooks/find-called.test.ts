import { BotType } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import type { KnownUser } from '../directory/directory.ts'
import { findMentionedWebhooks, isCalled } from './find-called.ts'

const bot = (projection: Partial<KnownUser> = {}) =>
  ({
    user_id: 7,
    realm_id: 1,
    is_bot: true,
    is_active: true,
    is_system_bot: false,
    bot_type: BotType.outgoingWebhook,
    ...projection,
  }) as KnownUser

/** Facts as an earlier release told them. */
const { bot_type: _type, ...ofNoType } = bot()

describe('who is called', () => {
  test.each<[string, KnownUser, boolean]>([
    ['an outgoing webhook', bot(), true],
    ['a bot that may be one', ofNoType as KnownUser, true],
    ['a generic bot', bot({ bot_type: BotType.generic }), false],
    ['one that is deactivated', bot({ is_active: false }), false],
    ['the organization’s own actor', bot({ is_system_bot: true, bot_type: null }), false],
    ['a person', bot({ is_bot: false, bot_type: null }), false],
  ])('%s', (_, user, expected) => {
    expect(isCalled(user)).toBe(expected)
  })

  test('is nobody by what a bot writes, and then nobody is asked for', async () => {
    const sources = {} as Parameters<typeof findMentionedWebhooks>[0]
    const mentions = { mentionedUserIds: [7], mentionedGroupIds: [3] }

    expect(await findMentionedWebhooks(sources, bot({ user_id: 8 }), mentions, [7])).toEqual([])
  })

  test('is whom a text names, where that is an outgoing webhook', async () => {
    const people = [bot(), bot({ user_id: 9, bot_type: BotType.generic })]
    const directory = {
      findUsersByIds: () => Promise.resolve(new Map(people.map((user) => [user.user_id, user]))),
    }
    const sources = { directory } as unknown as Parameters<typeof findMentionedWebhooks>[0]
    const sender = bot({ user_id: 2, is_bot: false, bot_type: null })
    const mentions = { mentionedUserIds: [7, 9], mentionedGroupIds: [] }

    expect(await findMentionedWebhooks(sources, sender, mentions, [7, 9])).toEqual([7])
  })
})
