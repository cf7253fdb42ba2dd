import { expect, test } from 'vitest'
import { createReplyReader } from './reply-reader.ts'

const reader = createReplyReader({
  program: new URL('./reply-thread.ts', import.meta.url),
  timeoutMs: 20_000,
})
const read = (type: string, body: string | Buffer, on = reader) =>
  on.read({
    raw: Buffer.concat([
      Buffer.from(`Message-ID: <1@a>\r\nSubject: Re: Lunch\r\nContent-Type: ${type}\r\n\r\n`),
      Buffer.from(body),
    ]),
    envelopeSender: 'ann@example.com',
    own: 'notify@chat.example.com',
    replyPattern: 'reply+%s@mail.example.com',
  })

test('a mail is read with its attachments', async () => {
  const body = [
    '--b\r\nContent-Type: text/plain\r\n\r\nThe menu.',
    '--b\r\nContent-Type: text/plain\r\nContent-Disposition: attachment; filename="menu.txt"\r\n\r\nSoup',
    '--b--',
  ].join('\r\n')
  const reply = await read('multipart/mixed; boundary=b', body)
  expect(reply).toMatchObject({ subject: 'Re: Lunch', signOfProgram: null, text: 'The menu.' })
  expect(reply?.attachments.map(({ name, content }) => [name, Buffer.from(content).toString()])).toEqual([
    ['menu.txt', 'Soup\n'],
  ])
})

test('HTML that would take any memory ends only its reading', async () => {
  const open = Array.from({ length: 6_000 }, (_, index) => `<b ${index}>`).join('')
  expect(await read('text/html', `<p>${open}${'<p>x'.repeat(6_000)}`)).toBeNull()
  expect(await read('text/html', '<p>Yes.')).toMatchObject({ text: 'Yes.' })
})

test('a text that would take minutes is given up, and others are read', async () => {
  const impatient = createReplyReader({
    program: new URL('./reply-thread.ts', import.meta.url),
    timeoutMs: 3_000,
  })
  const flowed = 'a \r\n'.repeat(2_000_000)
  expect(await read('text/plain; format=flowed', flowed, impatient)).toBeNull()
  expect(await read('text/plain', 'Yes.')).toMatchObject({ text: 'Yes.' })
})

test('addresses for replies are left out', async () => {
  const address = `reply+${'0a'.repeat(16)}@mail.example.com`
  const body = `Write to ${address}, ${address.replace('+', '%2B')} or ann@example.com.`
  expect(await read('text/plain', body)).toMatchObject({ text: 'Write to ,  or ann@example.com.' })
})

test('what is cut from a mail is known', async () => {
  const reply = await read('text/plain', 'Yes.\r\n\r\nOn Monday Ann wrote:\r\n> Lunch?')
  expect(reply).toMatchObject({ text: 'Yes.', uncut: expect.stringContaining('> Lunch?') })
})

test('what cannot be stored is left out', async () => {
  expect(await read('text/plain', 'a\0b\u0007c\td')).toMatchObject({ text: 'abc\td' })
})

test('mails with one ID and different texts are different', async () => {
  const ids = await Promise.all(
    ['Yes.', 'No.', 'Yes.'].map(async (text) => (await read('text/plain', text))?.id),
  )
  expect(ids[0]).toBe(ids[2])
  expect(ids[0]).not.toBe(ids[1])
})

test('a picture within a mail is an attachment only if there is nothing else', async () => {
  const picture =
    '--b\r\nContent-Type: image/png; name="a.png"\r\nContent-ID: <a>\r\nContent-Disposition: inline\r\n\r\nx'
  const namesOf = async (html: string) => {
    const body = [`--b\r\nContent-Type: text/html\r\n\r\n${html}<img src="cid:a">`, picture, '--b--'].join(
      '\r\n',
    )
    return (await read('multipart/related; boundary=b', body))?.attachments.map(({ name }) => name)
  }
  expect([await namesOf(''), await namesOf('<p>Yes.</p>')]).toEqual([['a.png'], []])
})
