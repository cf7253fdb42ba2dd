import { describe, expect, test } from 'vitest'
import { parseEdit } from './edit-request.rules.ts'

const open = { mandatory_topics: false }
const inChannel = { channelId: 7, topic: 'lunch', isWidget: false }
const direct = { channelId: null, topic: '', isWidget: false }
const edit = (input: object, present: typeof inChannel | typeof direct = inChannel, realm = open) =>
  parseEdit({ message_id: 1, ...input }, present, realm)

describe('an edit', () => {
  test.each([
    ['a text', { content: ' new  ' }, { content: ' new', topic: null, channelId: null }],
    ['a blank text', { content: ' \n ' }, { content: '(deleted)' }],
    ['a topic', { topic: ' tea ' }, { content: null, topic: 'tea', channelId: null }],
    ['the spelling of a topic', { topic: 'Lunch' }, { topic: 'Lunch' }],
    ['text and topic', { content: 'x', topic: 'tea' }, { content: 'x', topic: 'tea' }],
    ['a channel', { stream_id: 8 }, { channelId: 8, topic: null }],
    ['a channel, naming the topic it has', { stream_id: 8, topic: 'lunch' }, { channelId: 8, topic: null }],
    [
      'a topic, naming the channel it is in',
      { stream_id: 7, topic: 'tea' },
      { channelId: null, topic: 'tea' },
    ],
    ['a text with the topic as it is', { content: 'x', topic: 'lunch' }, { content: 'x', topic: null }],
    ['all of a topic', { topic: 'tea', propagate_mode: 'change_all' }, { mode: 'change_all' }],
  ])('changes %s', (_, input, expected) => {
    expect(edit(input)).toMatchObject(expected)
  })

  test.each([
    ['nothing', {}],
    ['nothing but the same topic', { topic: ' lunch ' }],
    ['nothing but the same channel', { stream_id: 7 }],
    ['text and channel at once', { content: 'x', stream_id: 8 }],
    ['more messages than move', { content: 'x', propagate_mode: 'change_later' }],
    ['all of a topic to where it is', { topic: 'lunch', propagate_mode: 'change_all' }],
    ['to a text with NUL', { content: 'a\0b' }],
  ])('does not change %s', (_, input) => {
    expect(() => edit(input)).toThrow()
  })

  test.each([
    ['topic', { topic: 'x' }],
    ['channel', { stream_id: 7 }],
    ['topic beside its text', { content: 'x', topic: 'x' }],
  ])('rejects a %s for a direct message', (_, input) => {
    expect(() => edit(input, direct)).toThrow()
  })

  test('takes the empty topic, except where topics are mandatory', () => {
    expect(edit({ topic: '' })).toMatchObject({ topic: '' })
    expect(edit({ topic: 'General chat' })).toMatchObject({ topic: '' })
    expect(edit({ topic: '(no topic)' })).toMatchObject({ topic: '' })
    for (const topic of ['', '(no topic)'])
      expect(() => edit({ topic }, inChannel, { mandatory_topics: true })).toThrow('Topics are required')
    expect(() => edit({ topic: '\u2714 ' }, { ...inChannel, topic: '' })).toThrow(
      'cannot be marked as resolved',
    )
  })

  test('rejects a new text of a widget', () => {
    const widget = { ...inChannel, isWidget: true }
    expect(() => edit({ content: 'x' }, widget)).toThrow('Widgets cannot be edited.')
    expect(edit({ topic: 'x' }, widget)).toMatchObject({ topic: 'x' })
  })
})
