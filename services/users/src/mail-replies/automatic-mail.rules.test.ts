import { describe, expect, test } from 'vitest'
import { isAutomatic, type MailHeaders } from './automatic-mail.rules.ts'

const OWN = 'notify@chat.example.com'
const mail: MailHeaders = {
  headers: [
    { key: 'received', value: 'from a by b' },
    { key: 'content-type', value: 'text/plain' },
  ],
  subject: 'Re: #design > Logo',
  from: 'ann@example.com',
  envelopeSender: 'ann@example.com',
}
const header = (key: string, value: string) => ({ headers: [...mail.headers, { key, value }] })

describe('a mail is automatic', () => {
  test.each<[string, Partial<MailHeaders>]>([
    ['with an empty envelope sender', { envelopeSender: '' }],
    ['if it says so', header('auto-submitted', 'auto-replied')],
    ['of Exchange', header('x-auto-response-suppress', 'DR, OOF, All')],
    ['by a rule of Exchange', header('x-ms-exchange-inbox-rules-loop', 'ann@example.com')],
    ['in bulk', header('precedence', 'bulk')],
    ['of a list', header('list-id', '<x.example.com>')],
    ['that reports a delivery', header('content-type', 'multipart/report; report-type=delivery-status')],
    ['of a mail server', { from: 'MAILER-DAEMON@example.com' }],
    ['from our own address', { from: OWN }],
    ['of somebody who is out of office', { subject: 'Out of Office: Re: Logo' }],
    ['of somebody who is out of office, in German', { subject: 'Automatische Antwort: Logo' }],
    [
      'that has been on its way for too long',
      { headers: Array.from({ length: 31 }, () => ({ key: 'received', value: 'x' })) },
    ],
  ])('%s', (_, change) => {
    expect(isAutomatic({ ...mail, ...change }, OWN)).toBe(true)
  })
})

test.each<[string, Partial<MailHeaders>]>([
  ['of a person', {}],
  ['that says that a person wrote it', header('auto-submitted', 'no')],
  ['about an office', { subject: 'Re: Out of office plans' }],
])('a mail isn’t automatic %s', (_, change) => {
  expect(isAutomatic({ ...mail, ...change }, OWN)).toBe(false)
})
