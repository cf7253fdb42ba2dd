import { endpoints } from '@tms/contracts'
import type { ApiClient, TestSystem } from '@tms/test-kit'
import { beforeAll, describe, expect, test } from 'vitest'
import { findTexts } from '../support/search.ts'
import { newChannel, newUsers, sendToChannel } from '../support/users-and-channels.ts'

const { deleteMessage, editMessage, getMessages } = endpoints.messaging
const hit = (text: string) => `<span class="highlight">${text}</span>`

export const searchTests = (system: () => TestSystem): void => {
  describe('searching', () => {
    let ann: ApiClient
    let channel: { name: string; id: number }
    beforeAll(async () => {
      ;[ann] = await newUsers(system(), 1)
      channel = await newChannel(ann)
    })

    describe('finds a message', () => {
      test('as soon as it is sent', async () => {
        const id = await sendToChannel(ann, channel.name, 'a zeppelin', 'sports')

        expect(await findTexts(ann, 'zeppelins')).toEqual([id])
        expect(await findTexts(ann, '"eppeli"')).toEqual([id])
      })

      test('by its new text as soon as it is edited, and no longer by the old one', async () => {
        const message_id = await sendToChannel(ann, channel.name, 'a dirigible', 'sports')
        await ann.call(editMessage, { message_id, content: 'a gyrocopter' })

        expect(await findTexts(ann, 'gyrocopters')).toEqual([message_id])
        expect(await findTexts(ann, '"yrocop"')).toEqual([message_id])
        expect(await findTexts(ann, 'dirigible')).toEqual([])
      })

      test('by its new topic and channel as soon as it is moved', async () => {
        const other = await newChannel(ann)
        const message_id = await sendToChannel(ann, channel.name, 'a glider', 'meadows')
        await ann.call(editMessage, { message_id, stream_id: other.id, topic: 'mountains' })

        expect(await findTexts(ann, 'glider mountain')).toEqual([message_id])
        expect(await findTexts(ann, 'glider meadow')).toEqual([])
        expect(await findTexts(ann, 'glider', { operator: 'channel', operand: other.name })).toEqual([
          message_id,
        ])
        expect(await findTexts(ann, 'glider', { operator: 'channel', operand: channel.name })).toEqual([])
      })

      test('no longer once it is deleted', async () => {
        const message_id = await sendToChannel(ann, channel.name, 'a parachute', 'sports')
        await system().owner.call(deleteMessage, { message_id })

        expect(await findTexts(ann, 'parachute')).toEqual([])
      })
    })

    describe('in scripts without spaces', () => {
      let ids: Readonly<Record<string, number>>
      beforeAll(async () => {
        ids = {
          japanese: await sendToChannel(ann, channel.name, '今日は日本語です', '言葉'),
          chinese: await sendToChannel(ann, channel.name, '我们明天开会 at noon', '计划'),
          korean: await sendToChannel(ann, channel.name, '회의에서 만나요', '약속'),
          thai: await sendToChannel(ann, channel.name, 'ประชุมพรุ่งนี้', 'นัด'),
          mixed: await sendToChannel(ann, channel.name, '明日meetingsです', '予定'),
          apart: await sendToChannel(ann, channel.name, '本日 今日 語学 日常', '辞書'),
        }
      })
      const find = async (text: string) => {
        const found = await findTexts(ann, text, { operator: 'channel', operand: channel.name })
        return Object.keys(ids).filter((name) => found.includes(ids[name] ?? 0))
      }

      test.each<[string, string, string[]]>([
        ['a word within others', '日本', ['japanese']],
        ['a longer one', '日本語', ['japanese']],
        ['a single letter', '語', ['japanese', 'apart']],
        ['the last letter of a text', 'す', ['japanese', 'mixed']],
        ['a word of the topic', '言葉', ['japanese']],
        ['two words, wherever they are', '日本 今日', ['japanese']],
        ['the same in quotes', '"日本"', ['japanese']],
        ['Chinese', '明天', ['chinese']],
        ['Chinese with English', '开会 noon', ['chinese']],
        ['Korean without what is joined to it', '회의', ['korean']],
        ['Thai', 'พรุ่งนี้', ['thai']],
        ['words of other scripts between them', '明日 meeting', ['mixed']],
        ['letters that stand apart, not as a word', '日語', []],
      ])('finds %s: %s', async (_, text, expected) => {
        expect(await find(text)).toEqual(expected)
      })

      test('excludes negated terms', async () => {
        const not = { operator: 'search', operand: '日本', negated: true }

        expect(await findTexts(ann, '今日', not)).toEqual([ids['apart']])
      })

      test('highlights matches', async () => {
        const { messages } = await ann.call(getMessages, {
          anchor: String(ids['mixed']),
          num_before: 0,
          num_after: 0,
          narrow: [{ operator: 'search', operand: '明日 meeting 予' }],
        })

        expect(messages).toMatchObject([
          {
            match_content: `<p>${hit('明日meetings')}です</p>`,
            match_subject: `${hit('予')}定`,
          },
        ])
      })
    })
  })
}
