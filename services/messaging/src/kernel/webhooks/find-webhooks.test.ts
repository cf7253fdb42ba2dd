import { BotType } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import type { KnownUser } from '../projections/projection-reader.ts'
import { findMentionedWebhooks, isOutgoingWebhook } from './find-webhooks.ts'

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

/** A projection without `bot_type`. */
const { bot_type: _type, ...ofNoType } = bot()

describe('outgoing webhooks', () => {
  test.each<[string, KnownUser, boolean]>([
    ['an outgoing webhook', bot(), true],
    ['a bot of unknown type', ofNoType as KnownUser, true],
    ['a generic bot', bot({ bot_type: BotType.generic }), false],
    ['a deactivated bot', bot({ is_active: false }), false],
    ['the system bot', bot({ is_system_bot: true, bot_type: null }), false],
    ['a human user', bot({ is_bot: false, bot_type: null }), false],
  ])('%s', (_, user, expected) => {
    expect(isOutgoingWebhook(user)).toBe(expected)
  })

  test('are not called for messages of bots, without any lookup', async () => {
    const sources = {} as Parameters<typeof findMentionedWebhooks>[0]
    const mentions = { mentionedUserIds: [7], mentionedGroupIds: [3] }

    expect(await findMentionedWebhooks(sources, bot({ user_id: 8 }), mentions, [7])).toEqual([])
  })

  test('are called if a text mentions them by name', async () => {
    const users = [bot(), bot({ user_id: 9, bot_type: BotType.generic })]
    const projections = {
      findUsersByIds: () => Promise.resolve(new Map(users.map((user) => [user.user_id, user]))),
    }
    const sources = { projections } as unknown as Parameters<typeof findMentionedWebhooks>[0]
    const sender = bot({ user_id: 2, is_bot: false, bot_type: null })
    const mentions = { mentionedUserIds: [7, 9], mentionedGroupIds: [] }

    expect(await findMentionedWebhooks(sources, sender, mentions, [7, 9])).toEqual([7])
  })
})
