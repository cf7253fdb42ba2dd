import { describe, expect, test } from 'vitest'
import { boundHtml, fitIntoBatch, fitIntoMail, reasonOf, TOO_LONG } from './conversation.rules.ts'

const message = (html: string) => ({ html, text: '' })

describe('the messages of a mail', () => {
  test('are all of a few', () => {
    const messages = [message('a'), message('b')]
    expect(fitIntoMail(messages)).toEqual({ shown: messages, omittedCount: 0 })
  })

  test('are the newest of many', () => {
    const messages = Array.from({ length: 25 }, (_, index) => message(String(index)))
    const { shown, omittedCount } = fitIntoMail(messages)
    expect([shown.length, shown.at(-1)?.html, omittedCount]).toEqual([20, '24', 5])
  })

  test('are the newest of long ones, and at least one', () => {
    const long = message('x'.repeat(90_000))
    expect(fitIntoMail([long, long])).toEqual({ shown: [long], omittedCount: 1 })
    expect(fitIntoMail([message('x'.repeat(200_000))]).omittedCount).toBe(0)
  })
})

describe('the mails of a batch', () => {
  const of = (length: number) => ({ messages: [{ html: 'x'.repeat(length), text: '' }] })

  test('are the first of many conversations', () => {
    const { shown, furtherCount } = fitIntoBatch(Array.from({ length: 23 }, () => of(1)))
    expect([shown.length, furtherCount]).toEqual([20, 3])
  })

  test('are the first of long conversations', () => {
    expect(fitIntoBatch([of(300_000), of(300_000)]).furtherCount).toBe(1)
    expect(fitIntoBatch([of(600_000)]).furtherCount).toBe(0)
  })

  test('have a remark for a message that is too long', () => {
    expect([boundHtml('x'), boundHtml('x'.repeat(200_001))]).toEqual(['x', TOO_LONG])
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
