import type { Logger } from '@tms/service-kit'
import { expect, test } from 'vitest'
import { UndeliverableMailError } from './mail-transport.ts'
import { dateIn, sendMail } from './send-mail.ts'

const mail = {
  to: 'ann@example.com',
  subject: '#board > Layoffs',
  realm: { name: 'Acme', url: 'https://chat.example.com' },
  paragraphs: [],
}

test.each([
  ['is sent', () => Promise.resolve('250 OK')],
  ['is refused', () => Promise.reject(new UndeliverableMailError('550'))],
])('the log does not say what a mail is about that %s', async (_, send) => {
  const lines: string[] = []
  const note = (fields: object, text: string) => lines.push(JSON.stringify(fields) + text)
  const log = { info: note, warn: note } as unknown as Logger
  await sendMail({ transport: { send } as never, from: 'a@example.com', log, count: () => {} }, mail, '7')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('"jobId":"7"')
  expect(lines[0]).not.toMatch(/board|Layoffs/)
})

test.each([
  ['UTC', 'Sun, 01 Mar 2026 22:05:00 +0000'],
  ['Mars/Olympus', 'Sun, 01 Mar 2026 22:05:00 +0000'],
  ['Asia/Kolkata', 'Mon, 02 Mar 2026 03:35:00 +0530'],
  ['America/New_York', 'Sun, 01 Mar 2026 17:05:00 -0500'],
])('the date of a mail is in the time zone %s', (timeZone, date) => {
  const at = new Date('2026-03-01T22:05:00Z')
  expect(dateIn(timeZone, at)).toBe(date)
  expect(new Date(date)).toEqual(at)
})
