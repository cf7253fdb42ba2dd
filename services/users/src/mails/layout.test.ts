import { describe, expect, test } from 'vitest'
import { layOutMail } from './layout.ts'

const mail = {
  to: 'ann@example.com',
  subject: 'Join <Acme>',
  realm: { name: 'Acme & Co', url: 'https://chat.example.com' },
  paragraphs: ['Hello <b>Ann</b>,', 'come in.'],
  action: { label: 'Join', url: 'https://chat.example.com/join/k?a=1&b="2"' },
  remarks: ['Valid for a day.'],
}

describe('a mail', () => {
  test('escapes typed text in its HTML form', () => {
    const { text, html } = layOutMail(mail)

    expect(text).toContain('Hello <b>Ann</b>,')
    expect(html).toContain('Hello &lt;b&gt;Ann&lt;/b&gt;,')
    expect(html).toContain('href="https://chat.example.com/join/k?a=1&amp;b=&quot;2&quot;"')
    expect(html).toContain('<title>Join &lt;Acme&gt;</title>')
  })

  test('contains its link as text', () => {
    expect(layOutMail(mail).text).toContain('Join: https://chat.example.com/join/k?a=1&b="2"')
  })

  test('names the organization that sent it', () => {
    const { text, html } = layOutMail({ ...mail, paragraphs: ['x'], remarks: [] })

    expect(text.endsWith('-- \nAcme & Co · https://chat.example.com\n')).toBe(true)
    expect(html).toContain('Acme &amp; Co · https://chat.example.com')
  })

  test('shows what is there to understand a message less prominently', () => {
    const message = { senderName: 'Ben', text: 'a', html: '<p>a</p>' }
    const quotesOf = (isContext: boolean) =>
      layOutMail({ ...mail, messages: [{ ...message, isContext }] }).html.match(/class="quote soft"/g) ?? []
    expect([quotesOf(true).length, quotesOf(false).length]).toEqual([1, 0])
  })
})
