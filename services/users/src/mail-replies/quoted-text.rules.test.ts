import { describe, expect, test } from 'vitest'
import { createReplyAddresses } from '../kernel/mails/reply-addresses.ts'
import { extractReply } from './quoted-text.rules.ts'

const OWN = ['notify@chat.example.com', createReplyAddresses('reply+%s@mail.example.com').form]

/** Replies as mail programs write them; all of them say 'Fine by me.' */
const replies: Record<string, string> = {
  Gmail: `Fine by me.

On Mon, Nov 23, 2026 at 9:12 AM Acme <notify@chat.example.com> wrote:

> Ben:
> > Lunch?
>`,
  'Gmail, broken into two lines': `Fine by me.

On Mon, Nov 23, 2026 at 9:12 AM Acme Corporation and Sons <
notify@chat.example.com> wrote:
> Lunch?`,
  'Gmail in German': `Fine by me.

Am Mo., 23. Nov. 2026 um 09:12 Uhr schrieb Acme <notify@chat.example.com>:

> Lunch?`,
  'Gmail in French': `Fine by me.

Le lun. 23 nov. 2026 à 09:12, Acme <notify@chat.example.com> a écrit :

> Lunch?`,
  'Gmail in Spanish': `Fine by me.

El lun, 23 nov 2026 a las 9:12, Acme (<notify@chat.example.com>) escribió:

> Lunch?`,
  'Gmail in Portuguese': `Fine by me.

Em seg., 23 de nov. de 2026 às 09:12, Acme <notify@chat.example.com> escreveu:

> Lunch?`,
  'Gmail in Japanese': `Fine by me.

2026年11月23日(月) 9:12 Acme <notify@chat.example.com>:

> Lunch?`,
  'Gmail in Finnish': `Fine by me.

ma 23. marrask. 2026 klo 9.12 Acme (notify@chat.example.com) kirjoitti:

> Lunch?`,
  Outlook: `Fine by me.

________________________________
From: Acme <notify@chat.example.com>
Sent: Monday, November 23, 2026 9:12 AM
To: Ann <ann@example.com>
Subject: DMs with Ben

Lunch?`,
  'Outlook in Polish': `Fine by me.

Od: Acme <notify@chat.example.com>
Wysłano: poniedziałek, 23 listopada 2026 09:12
Do: Ann
Temat: DMs with Ben

Lunch?`,
  'Outlook in Chinese': `Fine by me.

发件人: Acme <notify@chat.example.com>
发送时间: 2026年11月23日 9:12
收件人: Ann

Lunch?`,
  'a program that writes the address for replies': `Fine by me.

Data: 23 listopada 2026
Do: Acme <reply+0123456789abcdef0123456789abcdef@mail.example.com>

Lunch?`,
  'a program without marks, below the link of our mails': `Fine by me.

https://chat.example.com/accounts/unsubscribe/missed_messages/1-abc`,
  'Outlook without a line': `Fine by me.

From: Acme <notify@chat.example.com>
Sent: Monday, November 23, 2026 9:12 AM
To: Ann <ann@example.com>
Subject: DMs with Ben

Lunch?`,
  'Outlook in German': `Fine by me.

-----Ursprüngliche Nachricht-----
Von: Acme <notify@chat.example.com>
Gesendet: Montag, 23. November 2026 09:12
An: Ann

Lunch?`,
  'Outlook in French': `Fine by me.

De : Acme <notify@chat.example.com>
Envoyé : lundi 23 novembre 2026 09:12
À : Ann
Objet : DMs

Lunch?`,
  'Outlook in Japanese': `Fine by me.

差出人: Acme <notify@chat.example.com>
送信日時: 2026年11月23日 9:12
宛先: Ann

Lunch?`,
  'Outlook as Markdown': `Fine by me.

**From:** Acme <notify@chat.example.com>
**Sent:** Monday, November 23, 2026 9:12 AM
**To:** Ann

Lunch?`,
  'Outlook for iOS': `Fine by me.

Get Outlook for iOS
________________________________
From: Acme <notify@chat.example.com>
Sent: Monday, November 23, 2026 9:12:00 AM

Lunch?`,
  'Apple Mail': `Fine by me.

> On 23 Nov 2026, at 09:12, Acme <notify@chat.example.com> wrote:
> 
> Lunch?
> 
`,
  iPhone: `Fine by me.

Sent from my iPhone

> On Nov 23, 2026, at 9:12 AM, Acme <notify@chat.example.com> wrote:
> 
> Lunch?`,
  'iPhone in German': `Fine by me.

Von meinem iPhone gesendet

> Am 23.11.2026 um 09:12 schrieb Acme <notify@chat.example.com>:
> 
> Lunch?`,
  'iPhone in Japanese': `Fine by me.

iPhoneから送信

> 2026/11/23 9:12、Acme <notify@chat.example.com>のメール:
> 
> Lunch?`,
  Thunderbird: `Fine by me.

On 11/23/26 9:12 AM, Acme wrote:
> Lunch?

-- 
Ann Example
Head of Lunch`,
  'Thunderbird, below the quote': `On 11/23/26 9:12 AM, Acme wrote:
> Lunch?
> 
Fine by me.`,
  'Thunderbird in German': `Am 23.11.26 um 09:12 schrieb Acme:
> Lunch?
Fine by me.

-- 
Ann`,
  'Thunderbird in Swedish': `Den 2026-11-23 kl. 09:12, skrev Acme:
> Lunch?

Fine by me.`,
  'a program that quotes without marks': `Fine by me.

On Mon, Nov 23, 2026 at 9:12 AM Acme <notify@chat.example.com> wrote:

Lunch?`,
  'Windows line ends': 'Fine by me.\r\n\r\nOn 23 Nov 2026, at 09:12, Acme wrote:\r\n> Lunch?\r\n',
  'no quote': '\nFine by me.\n',
}

describe('a reply by mail is what was written in', () => {
  test.each(Object.entries(replies))('%s', (_, text) => {
    expect(extractReply(text, OWN)).toBe('Fine by me.')
  })
})

test.each([
  ['a sentence with a colon', 'Two things:\n\n* lunch\n* dinner'],
  ['a sentence with a time and a colon', 'Tomorrow at 9:30 we do this:\n\n* lunch'],
  ['a sentence that begins with From', 'From: here to there\n\nOn Monday.'],
  ['a horizontal rule', 'above\n\n-----\n\nbelow'],
  ['emphasis', 'That is *very* **good** and snake_case'],
  ['a sentence about an iPhone', 'Sent from my iPhone is a bad signature.\nReally.'],
])('a reply keeps %s', (_, text) => {
  expect(extractReply(text, OWN)).toBe(text)
})

test('a reply between quoted lines keeps its parts', () => {
  const text = 'On 11/23/26 9:12 AM, Acme wrote:\n> Lunch?\nYes.\n> When?\nAt noon.'
  expect(extractReply(text)).toBe('Yes.\nAt noon.')
})

test('nothing is left of a mail that only quotes', () => {
  expect(extractReply('\n\nOn 11/23/26 9:12 AM, Acme wrote:\n> Lunch?')).toBe('')
})

test('a hostile mail is read in no time', () => {
  const before = process.threadCpuUsage()
  for (const unit of ['On a wrote ', '____', '> ', 'From: \n', '**', ':\n', '_*', 'a: b\n'])
    extractReply(unit.repeat(100_000 / unit.length))
  expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000)
})
