import { once } from 'node:events'
import { constants, createServer, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createApnsSender, toHex } from './apns-sender.ts'

test('tokens in base64 become hexadecimal, and others stay', () => {
  expect(toHex('a0B1')).toBe('a0B1')
  expect(toHex('+/8Aqg==')).toBe('fbff00aa')
})

/** A sender to a service whose streams the test answers itself. */
async function connectSender(timeoutMs = 10_000) {
  const streams: ServerHttp2Stream[] = []
  const sessions: ServerHttp2Session[] = []
  const server = createServer()
  server.on('session', (session) => sessions.push(session))
  server.on('stream', (stream) => {
    stream.on('error', () => {})
    streams.push(stream)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const sender = createApnsSender({
    ...{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, tls: {} },
    ...{ sign: async () => 'token', topic: 'org.example.App', showsContent: true, now: () => new Date() },
    timeoutMs,
  })
  onTestFinished(() => {
    sender.close()
    for (const session of sessions) session.destroy()
    server.close()
  })
  const send = () =>
    sender.send(
      { token: 'a0', appId: null, p256dh: null, authSecret: null, pushKey: null, pushKeyId: null },
      {
        ...{ id: '1', notice: { kind: 'test', time: 0 }, realmId: 1, userId: 1 },
        ...{ language: 'en', ttlSeconds: 60 },
        realm: { url: 'http://example.com', name: 'Example', requiresEncryption: false },
      },
    )
  return { send, streams, sessions }
}

test('a request that fails ends neither the connection nor other requests', async () => {
  const { send, streams, sessions } = await connectSender()
  const [first, second] = [send(), send()]
  await expect.poll(() => streams.length).toBe(2)
  streams[0]?.close(constants.NGHTTP2_INTERNAL_ERROR)
  expect(await first).toMatchObject({ kind: 'retry' })
  streams[1]?.respond({ ':status': 200 }, { endStream: true })
  expect(await second).toEqual({ kind: 'sent' })
  const third = send()
  await expect.poll(() => streams.length).toBe(3)
  streams[2]?.respond({ ':status': 200 }, { endStream: true })
  expect(await third).toEqual({ kind: 'sent' })
  expect(sessions).toHaveLength(1)
})

test('an answer that never ends is no answer', async () => {
  const { send, streams } = await connectSender(300)
  const sending = send()
  await expect.poll(() => streams.length).toBe(1)
  const [stream] = streams
  stream?.respond({ ':status': 200 })
  const dripping = setInterval(() => stream?.write('x'), 20)
  expect(await sending).toMatchObject({ kind: 'retry', reason: 'it did not answer' })
  clearInterval(dripping)
})
