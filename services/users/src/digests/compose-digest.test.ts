import type { Digest } from '@tms/contracts'
import { describe, expect, test } from 'vitest'
import { createLocale } from '../kernel/languages/locale.ts'
import { composeDigest, composeHiddenDigest } from './compose-digest.ts'

const addressee = {
  to: 'ann@example.com',
  toName: 'Ann',
  locale: createLocale('en'),
  realm: { name: 'Acme', url: 'https://chat.example.com' },
  namesRealm: false,
  unsubscribeUrl: 'https://chat.example.com/accounts/unsubscribe/digest/1-x',
}
const message = (sender_name: string, text: string) => ({ sender_name, text, html: `<p>${text}</p>` })
const topic: Digest['topics'][number] = {
  channel_name: 'design',
  topic: 'Logo',
  path: '/#narrow/channel/3-design/topic/Logo/with/9',
  participants: ['Ben', 'Cy'],
  further_participants: 0,
  messages: [message('Ben', 'a'), message('Ben', 'b')],
  further_messages: 0,
}
const digest: Digest = { user_id: 1, topics: [topic], channels: [], further_channels: 0 }

describe('a digest', () => {
  test('has a section for each topic, which names each sender once', () => {
    const { subject, sections } = composeDigest(addressee, digest)
    expect(subject).toBe('What you missed in Acme')
    expect(sections?.map(({ title, url }) => [title, url])).toEqual([
      ['#design > Logo', 'https://chat.example.com/#narrow/channel/3-design/topic/Logo/with/9'],
    ])
    expect(sections?.[0]?.messages?.map(({ senderName }) => senderName)).toEqual(['Ben', null])
  })

  test.each([
    ['all messages', {}, 'With Ben and Cy'],
    ['one more', { further_messages: 1 }, '1 more message, with Ben and Cy'],
    [
      'many more',
      { further_messages: 9, further_participants: 3 },
      '9 more messages, with Ben, Cy, and 3 others',
    ],
    ['a monologue', { participants: ['Ben'] }, 'With Ben'],
  ])('says what is left out of a topic that has %s', (_, change, remark) => {
    const { sections } = composeDigest(addressee, { ...digest, topics: [{ ...topic, ...change }] })
    expect(sections?.[0]?.remark).toBe(remark)
  })

  test.each([
    ['one', 1, 0, 'New channels', undefined],
    ['some', 2, 0, 'New channels', undefined],
    ['many', 2, 5, 'New channels', 'And 5 more.'],
  ])('lists %s new channels', (_, count, further, title, remark) => {
    const channels = Array.from({ length: count }, (__, index) => ({ name: `new ${index}`, path: '/#x' }))
    const { sections } = composeDigest(addressee, {
      ...digest,
      topics: [],
      channels,
      further_channels: further,
    })
    expect(sections).toHaveLength(1)
    expect(sections?.[0]).toMatchObject({ title, links: [{ label: '#new 0' }, {}].slice(0, count) })
    expect(sections?.[0]?.remark).toBe(remark)
  })

  test.each([
    ['organization', 'your organization has turned that off'],
    ['user', 'you have turned that off'],
  ] as const)('shows nothing if the %s does not want that', (hiddenBy, why) => {
    const mail = composeHiddenDigest(addressee, hiddenBy)
    expect(mail.sections).toBeUndefined()
    expect(mail.remarks?.[0]).toContain(why)
    expect(mail.unsubscribeUrl).toBe(addressee.unsubscribeUrl)
  })
})
