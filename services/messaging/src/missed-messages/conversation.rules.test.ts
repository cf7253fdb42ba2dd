import { describe, expect, test } from 'vitest'
import {
  boundHtml,
  chooseConversations,
  fitIntoMail,
  hasSpaceFor,
  type Missed,
  reasonOf,
  TOO_LONG,
} from './conversation.rules.ts'

const message = (html: string) => ({ html, text: '' })

describe('the messages of a mail', () => {
  test('are all of a few', () => {
    const messages = [message('a'), message('b')]
    expect(fitIntoMail(messages)).toEqual(messages)
  })

  test('are the newest of long ones, and at least one', () => {
    const long = message('x'.repeat(90_000))
    expect(fitIntoMail([long, long])).toEqual([long])
    expect(fitIntoMail([message('x'.repeat(200_000))])).toHaveLength(1)
  })

  test('are measured as they are sent', () => {
    const quotes = message('"'.repeat(45_000))
    expect(fitIntoMail([quotes, quotes])).toEqual([quotes])
  })

  test('have a remark for one that is too long', () => {
    expect([boundHtml('x'), boundHtml('x'.repeat(200_001))]).toEqual(['x', TOO_LONG])
    expect(boundHtml('"'.repeat(100_001))).toBe(TOO_LONG)
  })
})

describe('the conversations of a batch', () => {
  const missed = (
    id: number,
    topic: string,
    trigger: Missed['batched']['trigger'] = 'mentioned',
  ): Missed => ({
    batched: { trigger, groupId: null, groupName: null, groupSize: 0 },
    view: { id, recipientId: 1, topic },
  })

  test('show the newest messages of many, and no other texts are read', () => {
    const messages = Array.from({ length: 25 }, (_, index) => missed(index, index % 2 ? 'Plans' : 'plans'))
    const [conversation] = chooseConversations(messages).chosen
    expect(conversation?.newest).toEqual(messages.slice(5))
    expect(conversation?.missed).toEqual(messages)
  })

  test('are those with the strongest reasons, and of these the newest', () => {
    const { chosen, furtherCount } = chooseConversations([
      missed(1, 'old'),
      ...Array.from({ length: 22 }, (_, index) => missed(index + 2, `${index}`, 'stream_email_notify')),
      missed(50, 'new'),
    ])
    expect(chosen.map(({ missed }) => missed[0]?.view.topic).slice(0, 3)).toEqual(['new', 'old', '21'])
    expect([chosen.length, furtherCount]).toEqual([20, 4])
  })

  test('are as many as one call takes, and at least one', () => {
    const of = (text: string) => ({ messages: [message(text)] })
    const half = 'x'.repeat(300_000)
    expect(hasSpaceFor([], of(half + half))).toBe(true)
    expect(hasSpaceFor([of(half)], of('x'))).toBe(true)
    expect(hasSpaceFor([of(half)], of(half))).toBe(false)
    expect(hasSpaceFor([of('"'.repeat(150_000))], of(half))).toBe(false)
  })
})

describe('the reason for a mail', () => {
  const mention = (groupId: number | null, groupName: string | null = null, groupSize = 0) =>
    ({ trigger: 'mentioned', groupId, groupName, groupSize }) as const
  const followed = {
    trigger: 'followed_topic_email_notify',
    groupId: null,
    groupName: null,
    groupSize: 0,
  } as const

  test('is the strongest of its messages', () => {
    expect(reasonOf([followed, mention(null)])).toEqual({ trigger: 'mentioned', groupName: null })
  })

  test('is a mention by name rather than one by a group', () => {
    expect(reasonOf([mention(1, 'few', 2), mention(null)])).toEqual({ trigger: 'mentioned', groupName: null })
  })

  test('names the smallest of the groups', () => {
    const reason = reasonOf([mention(1, 'many', 9), mention(2, 'few', 2)])
    expect(reason).toEqual({ trigger: 'mentioned', groupName: 'few' })
  })
})
