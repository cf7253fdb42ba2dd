import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import type { Logger } from '@tms/service-kit'
import { afterEach, expect, test } from 'vitest'
import { type MailListener, openMailListener } from './open-mail-listener.ts'
import type { ReceivedMail } from './receive-reply.ts'

const log = { info: () => {}, warn: () => {} } as unknown as Logger
const received: ReceivedMail[] = []
let listener: MailListener

async function open(dataMs: number): Promise<void> {
  received.length = 0
  listener = await openMailListener({
    ...{ host: '127.0.0.1', port: 0, name: 'chat.example.com', tls: null, log, dataMs, count: () => {} },
    tokenIn: () => 'token',
    isKnown: async () => true,
    receive: async (mail) => {
      received.push(mail)
      return 'posted'
    },
  })
}
afterEach(() => listener.close())

/** A connection on which a mail can be sent. */
async function beginMail(): Promise<Socket> {
  const socket = connect(listener.port, '127.0.0.1')
  socket.on('error', () => {})
  for (const line of ['EHLO a', 'MAIL FROM:<ann@example.com>', 'RCPT TO:<reply@example.com>', 'DATA']) {
    await once(socket, 'data')
    socket.write(`${line}\r\n`)
  }
  await once(socket, 'data')
  return socket
}

const answerOn = async (socket: Socket): Promise<string> => String((await once(socket, 'data'))[0])

test('a mail that takes too long to arrive ends its connection, and others arrive', async () => {
  await open(300)
  const slow = await beginMail()
  const closed = once(slow, 'close')
  slow.write('Subject: one byte at a time')
  expect(await answerOn(slow)).toMatch(/^421 .*too long/)
  await closed
  const quick = await beginMail()
  quick.write('Subject: Hello\r\n\r\nHello\r\n.\r\n')
  expect(await answerOn(quick)).toMatch(/^250 /)
  quick.destroy()
  expect(received.map(({ raw }) => String(raw))).toEqual(['Subject: Hello\r\n\r\nHello\r\n'])
})

test('a mail that is far too large ends its connection, and others arrive', async () => {
  await open(60_000)
  const large = await beginMail()
  const closed = once(large, 'close')
  const mebibyte = Buffer.alloc(1024 * 1024, 'x')
  const answered = answerOn(large)
  for (let sent = 0; sent < 80 && !large.destroyed; sent++)
    if (!large.write(mebibyte)) await Promise.race([once(large, 'drain'), closed])
  expect(await answered).toMatch(/^421 .*too large/)
  large.destroy()
  const small = await beginMail()
  small.write('Subject: Hello\r\n\r\nHello\r\n.\r\n')
  expect(await answerOn(small)).toMatch(/^250 /)
  small.destroy()
  expect(received).toHaveLength(1)
})
