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

/** A peer in a thread of its own, which answers while this one is busy. */
async function startPeer(answers: boolean): Promise<string> {
  const peer = new Worker(
    `const { createServer } = require('node:http')
     const { parentPort } = require('node:worker_threads')
     let calls = 0
     const server = createServer((request, response) => {
       if (calls++ === 0 || ${answers}) response.end('{"value":1}')
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
