import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { createOutwardClient } from './post-outward.ts'

test('a request over a connection that is reset is repeated once, since the service may have got it', async () => {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    if (requests <= 2 || requests > 5) response.end()
    else request.socket.resetAndDestroy()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const post = createOutwardClient({
    ...{ allowsPrivate: true, tls: {}, timeoutMs: 10_000, maxAnswerBytes: 1_000, keepsConnections: true },
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const send = () => post({ url, body: 'x', headers: {} })
  try {
    // Two connections that may be used again.
    await Promise.all([send(), send()])
    await expect(send()).rejects.toMatchObject({ fault: 'unreachable', code: 'ECONNRESET' })
    expect(requests).toBe(4)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})

test('it is repeated over a new connection, since the service may have closed all that were kept', async () => {
  const used = new Set<object>()
  const server = createServer((request, response) => {
    if (used.has(request.socket)) return void request.socket.resetAndDestroy()
    used.add(request.socket)
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const post = createOutwardClient({
    ...{ allowsPrivate: true, tls: {}, timeoutMs: 10_000, maxAnswerBytes: 1_000, keepsConnections: true },
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const send = () => post({ url, body: 'x', headers: {} })
  try {
    await Promise.all([send(), send()])
    expect(await send()).toMatchObject({ status: 200 })
    expect(used.size).toBe(3)
  } finally {
    server.close()
    server.closeAllConnections()
  }
})
