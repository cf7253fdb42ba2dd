import { once } from 'node:events'
import { setImmediate as turnOfTheLoop } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from '@jest/globals'
import { internalEndpoint } from '@tms/contracts'
import { z } from 'zod'
import { createInternalClient } from './internal-client.ts'

const endpoint = internalEndpoint({
  name: 'ask',
  owner: 'users',
  path: '/internal/ask',
  body: z.object({}),
  response: z.object({ value: z.number() }),
})

const peers: Worker[] = []
afterEach(() => Promise.all(peers.splice(0).map((peer) => peer.terminate())))

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

describe('a call that a replica was lost with', () => {
  test('is made once more where it may be, to whom the balancer knows by then', async () => {
    const call = createInternalClient({ users: [await startPeer(true, 1)] }, () => 'token')

    expect(await call(endpoint, {}, { again: true })).toEqual({ value: 1 })
  })

  test('is an error after that, and at once where it may not be made twice', async () => {
    const call = createInternalClient({ users: [await startPeer(true, 3)] }, () => 'token')
    const lost = { code: 'SERVICE_UNAVAILABLE' }

    await expect(call(endpoint, {})).rejects.toMatchObject(lost)
    await expect(call(endpoint, {}, { again: true })).rejects.toMatchObject(lost)
    expect(await call(endpoint, {})).toEqual({ value: 1 })
  })
})
