import { expect, test } from 'vitest'
import { createLocale } from '../kernel/languages/locale.ts'
import { layOutMail } from '../mails/layout.ts'
import { composeAnnouncement } from './compose-announcement.ts'

const realm = { name: 'Acme', url: 'https://chat.example.com' }
const reader = {
  to: 'ann@example.com',
  toName: 'Ann',
  locale: createLocale('de'),
  unsubscribeUrl: 'https://chat.example.com/accounts/unsubscribe/marketing/1-x',
}
const write = (content: string, isMarkdown: boolean) =>
  layOutMail(composeAnnouncement({ subject: 'Move', content, isMarkdown }, realm, reader))

test('an announcement in Markdown is text as it was written, and HTML', () => {
  const { text, html } = write('## When\n\n**Sunday**, see [plan](https://example.com/x) <b>', true)
  expect(text).toContain('## When\n\n**Sunday**, see [plan](https://example.com/x) <b>')
  expect(html).toContain('<h2>When</h2>')
  expect(html).toContain('<strong>Sunday</strong>, see <a href="https://example.com/x">plan</a> &lt;b&gt;')
})

test('an announcement in plain text has no markup, but links', () => {
  const { html } = write('# One\n**two** https://example.com\n\nthree', false)
  expect(html).toContain('<p># One<br>\n**two** <a href="https://example.com">https://example.com</a></p>')
})

test('an announcement says in the language of its reader how to get no more', () => {
  const { text } = write('Hello', true)
  expect(text).toContain('Betreiber')
  expect(text).toContain(`Abbestellen: ${reader.unsubscribeUrl}`)
})
