import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { internalEndpoint } from '@tms/contracts'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createInternalClient } from './internal-client.ts'

const endpoint = internalEndpoint({
  name: 'ask',
  owner: 'users',
  path: '/internal/ask',
  body: z.object({}),
  response: z.object({ value: z.number() }),
})

/** Calls to one address at once; what is more waits for one of these. */
const AT_ONCE = 64

const peers: Worker[] = []
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
  await Promise.all(peers.splice(0).map((peer) => peer.terminate()))
})

/** A peer in a thread of its own, which answers while this one is busy; the first so many calls are lost there. */
async function startPeer(answers: boolean, loses = 0): Promise<string> {
  const peer = new Worker(
    `const { createServer } = require('node:http')
     const { parentPort } = require('node:worker_threads')
     let calls = 0
     const server = createServer((request, response) => {
       if (calls++ < ${loses}) request.socket.destroy()
       else if (calls === 1 || ${answers}) response.end('{"value":1}')
     }).listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`,
    { eval: true },
  )
  peers.push(peer)
  const [port] = await once(peer, 'message')
  return `http://127.0.0.1:${port}`
}

function beBusy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('a deadline', () => {
  test('does not count what this process was too busy to read', async () => {
    const call = createInternalClient({ users: [await startPeer(true)] }, () => 'token')
    await call(endpoint, {})

    const answer = call(endpoint, {}, { timeoutMs: 50 })
    await turnOfTheLoop()
    beBusy(300)
    expect(await answer).toEqual({ value: 1 })
  })

  test('ends the waiting for a peer that does not answer', async () => {
    const call = createInternalClient({ users: [await startPeer(false)] }, () => 'token')
    await call(endpoint, {})

    await expect(call(endpoint, {}, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

describe('a call that waited until another had its connection', () => {
  test('was taken, and is not made again when it is late: that would be more for who has too much to do', async () => {
    const asked: ServerResponse[] = []
    const peer = createServer((_request, response) => {
      asked.push(response)
      if (asked.length === AT_ONCE) for (const one of asked) one.end('{"value":1}')
    }).listen(0, '127.0.0.1')
    servers.push(peer)
    await once(peer, 'listening')
    const { port } = peer.address() as AddressInfo
    const call = createInternalClient({ users: [`http://127.0.0.1:${port}`] }, () => 'token')

    const first = Array.from({ length: AT_ONCE }, () => call(endpoint, {}))
    const waiting = call(endpoint, {}, { timeoutMs: 50 })
    await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await Promise.all(first)).toEqual(Array.from({ length: AT_ONCE }, () => ({ value: 1 })))
    expect(asked).toHaveLength(AT_ONCE + 1)
  })
})

describe('a call that a replica was lost with', () => {
  test('is made once more, to whom the balancer knows by then', async () => {
    const call = createInternalClient({ users: [await startPeer(true, 1)] }, () => 'token')

    expect(await call(endpoint, {})).toEqual({ value: 1 })
  })

  test('is an error after that', async () => {
    const call = createInternalClient({ users: [await startPeer(true, 2)] }, () => 'token')

    await expect(call(endpoint, {})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await call(endpoint, {})).toEqual({ value: 1 })
  })
})

describe('a call that nobody takes', () => {
  test('finds who comes to the address a little later', async () => {
    const port = await freePort()
    const call = createInternalClient({ users: [`http://127.0.0.1:${port}`] }, () => 'token')

    const answer = call(endpoint, {})
    await refusal(port)
    servers.push(createServer((_request, response) => response.end('{"value":1}')).listen(port, '127.0.0.1'))
    expect(await answer).toEqual({ value: 1 })
  })

  test('is an error when nobody comes', async () => {
    const call = createInternalClient({ users: [`http://127.0.0.1:${await freePort()}`] }, () => 'token')

    await expect(call(endpoint, {})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

/** One at which nobody listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Until whoever asked before this has been refused as well. */
async function refusal(port: number): Promise<void> {
  const [error] = await once(connect(port, '127.0.0.1'), 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
}
