import { describe, expect, test } from 'vitest'
import { findSignOfProgram, type MailHeaders } from './automatic-mail.rules.ts'

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
  test.each<[string, Partial<MailHeaders>, string]>([
    ['with an empty envelope sender', { envelopeSender: '' }, 'no envelope sender'],
    ['if it says so', header('auto-submitted', 'auto-replied'), 'auto-submitted'],
    ['of Exchange', header('x-auto-response-suppress', 'DR, OOF, All'), 'x-auto-response-suppress'],
    [
      'by a rule of Exchange',
      header('x-ms-exchange-inbox-rules-loop', 'ann@example.com'),
      'x-ms-exchange-inbox-rules-loop',
    ],
    ['in bulk', header('precedence', 'bulk'), 'precedence'],
    ['of a list', header('list-id', '<x.example.com>'), 'list-id'],
    [
      'that reports a delivery',
      header('content-type', 'multipart/report; report-type=delivery-status'),
      'content-type',
    ],
    ['of a mail server', { from: 'MAILER-DAEMON@example.com' }, 'from'],
    ['from our own address', { from: OWN }, 'from'],
    ['of somebody who is out of office', { subject: 'Out of Office: Re: Logo' }, 'subject'],
    ['of somebody who is out of office, in German', { subject: 'Automatische Antwort: Logo' }, 'subject'],
    [
      'that has been on its way for too long',
      { headers: Array.from({ length: 31 }, () => ({ key: 'received', value: 'x' })) },
      'received',
    ],
  ])('%s', (_, change, sign) => {
    expect(findSignOfProgram({ ...mail, ...change }, OWN)).toBe(sign)
  })
})

test.each<[string, Partial<MailHeaders>]>([
  ['of a person', {}],
  ['that says that a person wrote it', header('auto-submitted', 'no')],
  ['about an office', { subject: 'Re: Out of office plans' }],
])('a mail isn’t automatic %s', (_, change) => {
  expect(findSignOfProgram({ ...mail, ...change }, OWN)).toBeNull()
})
