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
  name: 'getValue',
  owner: 'users',
  path: '/internal/value',
  body: z.object({}),
  response: z.object({ value: z.number() }),
})

/** Concurrent calls to one address; further ones wait for a connection. */
const AT_ONCE = 64

const peers: Worker[] = []
const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
  await Promise.all(peers.splice(0).map((peer) => peer.terminate()))
})

/** A peer in its own thread, which answers while this one is busy; it loses the first so many calls. */
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
  test('does not count time in which this process was too busy to read', async () => {
    const call = createInternalClient({ users: [await startPeer(true)] }, () => 'token')
    await call(endpoint, {})

    const answer = call(endpoint, {}, { timeoutMs: 50 })
    await turnOfTheLoop()
    beBusy(300)
    expect(await answer).toEqual({ value: 1 })
  })

  test('ends a call to a peer that does not answer', async () => {
    const call = createInternalClient({ users: [await startPeer(false)] }, () => 'token')
    await call(endpoint, {})

    await expect(call(endpoint, {}, { timeoutMs: 50 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

describe('a call that waited for a connection', () => {
  test('is not repeated after a timeout, since the peer is overloaded', async () => {
    const responses: ServerResponse[] = []
    const peer = createServer((_request, response) => {
      responses.push(response)
      if (responses.length === AT_ONCE) for (const one of responses) one.end('{"value":1}')
    }).listen(0, '127.0.0.1')
    servers.push(peer)
    await once(peer, 'listening')
    const { port } = peer.address() as AddressInfo
    const call = createInternalClient({ users: [`http://127.0.0.1:${port}`] }, () => 'token')

    const first = Array.from({ length: AT_ONCE }, () => call(endpoint, {}))
    const waiting = call(endpoint, {}, { timeoutMs: 50 })
    await expect(waiting).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await Promise.all(first)).toEqual(Array.from({ length: AT_ONCE }, () => ({ value: 1 })))
    expect(responses).toHaveLength(AT_ONCE + 1)
  })
})

describe('a call whose replica was lost', () => {
  test('is repeated once, at a replica that the balancer knows by then', async () => {
    const call = createInternalClient({ users: [await startPeer(true, 1)] }, () => 'token')

    expect(await call(endpoint, {})).toEqual({ value: 1 })
  })

  test('fails after that', async () => {
    const call = createInternalClient({ users: [await startPeer(true, 2)] }, () => 'token')

    await expect(call(endpoint, {})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
    expect(await call(endpoint, {})).toEqual({ value: 1 })
  })
})

describe('a call that nobody accepts', () => {
  test('reaches a replica that starts at the address a little later', async () => {
    const port = await freePort()
    const call = createInternalClient({ users: [`http://127.0.0.1:${port}`] }, () => 'token')

    const answer = call(endpoint, {})
    await refusal(port)
    servers.push(createServer((_request, response) => response.end('{"value":1}')).listen(port, '127.0.0.1'))
    expect(await answer).toEqual({ value: 1 })
  })

  test('fails if none starts', async () => {
    const call = createInternalClient({ users: [`http://127.0.0.1:${await freePort()}`] }, () => 'token')

    await expect(call(endpoint, {})).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

/** An address without a listener. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Until every earlier caller has been refused as well. */
async function refusal(port: number): Promise<void> {
  const [error] = await once(connect(port, '127.0.0.1'), 'error')
  expect(error).toMatchObject({ code: 'ECONNREFUSED' })
}
