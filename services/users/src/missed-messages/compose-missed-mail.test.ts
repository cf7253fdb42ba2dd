import type { MissedConversation } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { createLocale } from '../kernel/languages/locale.ts'
import { composeHiddenMail, composeMissedMail, composeSummaryMail } from './compose-missed-mail.ts'

const addressee = {
  to: 'ann@example.com',
  toName: 'Ann',
  locale: createLocale('en'),
  realm: { name: 'Acme', url: 'https://chat.example.com' },
  namesRealm: false,
  unsubscribeUrl: 'https://chat.example.com/accounts/unsubscribe/missed_messages/1-x',
}
const message = (sender_name: string, text: string) => ({ sender_name, text, html: `<p>${text}</p>` })
const channel: MissedConversation = {
  kind: 'channel',
  recipient_id: 5,
  channel_name: 'design',
  topic: 'Logo',
  participants: [],
  path: '/#narrow/channel/3-design/topic/Logo/with/9',
  trigger: 'mentioned',
  group_name: null,
  messages: [message('Ben', 'a'), message('Ben', 'b'), message('Cy', 'c')],
  omitted_count: 0,
}
const direct = (...participants: string[]): MissedConversation => ({
  ...channel,
  kind: participants.length > 1 ? 'group' : 'direct',
  channel_name: null,
  topic: '',
  participants,
  trigger: 'direct_message',
})

describe('the subject of a mail about missed messages', () => {
  test.each([
    ['of a topic', channel, '#design > Logo'],
    ['of a resolved topic', { ...channel, topic: '✔ Logo' }, '[resolved] #design > Logo'],
    ['of one person', direct('Ben'), 'DMs with Ben'],
    ['of two others', direct('Ben', 'Cy'), 'Group DMs with Ben and Cy'],
    ['of three others', direct('Ben', 'Cy', 'Di'), 'Group DMs with Ben, Cy, and Di'],
    ['of four others', direct('Ben', 'Cy', 'Di', 'Ed'), 'Group DMs with Ben, Cy, and 2 others'],
  ])('is that %s', (_, conversation, subject) => {
    expect(composeMissedMail(addressee, conversation).subject).toBe(subject)
  })

  test('ends with the organization if it is to be named', () => {
    const named = { ...addressee, namesRealm: true }
    expect(composeMissedMail(named, channel).subject).toBe('#design > Logo [Acme]')
  })
})

describe('a mail about missed messages', () => {
  test('names each sender once in a row, and none in a conversation of two', () => {
    const namesIn = (conversation: MissedConversation) =>
      composeMissedMail(addressee, conversation).messages?.map(({ senderName }) => senderName)
    expect(namesIn(channel)).toEqual(['Ben', null, 'Cy'])
    expect(namesIn(direct('Ben'))).toEqual([null, null, null])
  })

  test('is in one thread with others of its topic, resolved or not, in any case', () => {
    const threads = ['Logo', 'LOGO', '✔ Logo', 'Other'].map(
      (topic) => composeMissedMail(addressee, { ...channel, topic }).thread,
    )
    expect(new Set(threads.slice(0, 3)).size).toBe(1)
    expect(threads[3]).not.toBe(threads[0])
  })

  test('says why', () => {
    const remarkOf = (change: Partial<MissedConversation>) =>
      composeMissedMail(addressee, { ...channel, ...change }).remarks?.[0]
    expect(remarkOf({})).toContain('you were mentioned')
    expect(remarkOf({ group_name: 'leads' })).toContain('@leads was mentioned')
    expect(remarkOf({ trigger: 'followed_topic_email_notify' })).toContain('you follow this topic')
  })

  test('says that earlier messages are left out', () => {
    expect(composeMissedMail(addressee, { ...channel, omitted_count: 1 }).paragraphs).toEqual([
      '1 earlier message not shown here.',
    ])
  })
})

test('a mail without content says who hides it', () => {
  expect(composeHiddenMail(addressee, 'organization').remarks?.[0]).toContain('your organization')
  expect(composeHiddenMail(addressee, 'user').remarks?.[0]).toContain('your settings')
})

test('the last mail of a day says that it is the last', () => {
  expect(composeSummaryMail(addressee, 3, true).paragraphs.at(-1)).toContain('no more mails')
  expect(composeSummaryMail(addressee, 3, false).paragraphs.at(-1)).not.toContain('no more mails')
})

test('a mail about missed messages is in the language of its reader', () => {
  const german = { ...addressee, locale: createLocale('de') }
  expect(composeMissedMail(german, direct('Ben', 'Cy', 'Di', 'Ed'))).toMatchObject({
    language: 'de',
    subject: 'Gruppennachrichten mit Ben, Cy und 2 weiteren Personen',
    action: { label: 'Unterhaltung öffnen' },
  })
  expect(composeMissedMail(german, { ...channel, topic: '✔ Logo' }).subject).toBe('[erledigt] #design > Logo')
})
