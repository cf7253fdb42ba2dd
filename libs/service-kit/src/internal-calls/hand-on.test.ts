import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gatewayHeaders, internalEndpoint, JsonFields } from '@tms/contracts'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { SharedText } from '../deflate/shared-text.ts'
import { WrittenList, writeJsonFields } from '../http/json-fields.ts'
import { JoinedFields, replyJoined, replyJsonWithTail } from '../http/reply.ts'
import { createInternalClient } from './internal-client.ts'

const endpoint = internalEndpoint({
  name: 'getState',
  owner: 'users',
  path: '/internal/state',
  body: z.object({}),
  response: z.object({ title: z.string(), state: z.instanceof(JsonFields) }),
  tail: 'state',
})

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

async function serve(answer: (response: ServerResponse) => Promise<void>): Promise<string> {
  const server = createServer((_, response) => void answer(response).catch(() => response.destroy()))
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A service whose state is a list of so many texts, and one that forwards it; `onPart` is called for each text. */
async function serveHandedOn(texts: number, onPart: (index: number) => void = () => {}): Promise<string> {
  const text = JSON.stringify('x'.repeat(10_000))
  async function* parts() {
    yield Buffer.from('"list":["first"')
    for (let i = 0; i < texts; i++) {
      onPart(i)
      yield Buffer.from(`,${text}`)
    }
    yield Buffer.from(']')
  }
  const length = '"list":["first"]'.length + texts * (text.length + 1)
  const peer = await serve((response) =>
    replyJsonWithTail(response, { title: 'ü' }, ['state', new JsonFields(parts(), length)]),
  )
  const call = createInternalClient({ users: [peer] }, () => 'token')
  return serve(async (response) => {
    const { title, state } = await call(endpoint, {})
    const none = new JsonFields([], 0)
    const other = new JsonFields([Buffer.from('"other"'), Buffer.from(':1')], 9)
    await replyJoined(response, new JoinedFields([none, other, state], { title }), ['odd'])
  })
}

async function sendGet(url: string): Promise<IncomingMessage> {
  const [answer] = (await once(request(url).end(), 'response')) as [IncomingMessage]
  return answer
}

describe('a forwarded state', () => {
  test.each([0, 1, 5, 7, 1_000])('has every field, with %i texts', async (texts) => {
    const answer = await fetch(await serveHandedOn(texts))

    expect(await answer.json()).toEqual({
      ...{ result: 'success', msg: '', other: 1, title: 'ü' },
      list: ['first', ...Array.from({ length: texts }, () => 'x'.repeat(10_000))],
      ignored_parameters_unsupported: ['odd'],
    })
  })

  test('is streamed, neither awaited as a whole nor buffered', async () => {
    let read = 0
    const texts = 6_000
    const answer = await sendGet(await serveHandedOn(texts, () => read++))
    await once(answer, 'readable')
    const readBefore = read
    answer.destroy()

    expect(readBefore).toBeLessThan(texts)
  })

  test('breaks off if its source breaks off', async () => {
    const url = await serveHandedOn(1_000, (index) => {
      if (index === 500) throw new Error('gone')
    })

    await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow()
  })

  test('is aborted at its source if the client disconnects or nobody reads it', async () => {
    const gone: Promise<unknown>[] = []
    const peer = await serve(async (response) => {
      gone.push(once(response, 'close'))
      const parts = Array.from({ length: 3_000 }, () => Buffer.alloc(10_000, '1'))
      await replyJsonWithTail(response, { title: '' }, ['state', new JsonFields(parts, 30_000_000)])
    })
    const call = createInternalClient({ users: [peer] }, () => 'token')
    const url = await serve(async (response) => {
      const { state } = await call(endpoint, {})
      await replyJoined(response, new JoinedFields([state], {}), [])
    })

    const answer = await sendGet(url)
    answer.destroy()
    const { state } = await call(endpoint, {})
    state.discard()

    await expect(Promise.all(gone)).resolves.toHaveLength(2)
  })

  describe('that is deflated', () => {
    const items = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `Müller ${id}` }))
    const list = new WrittenList([new SharedText(Buffer.from(JSON.stringify(items).slice(1, -1)))])

    /** One that forwards it, between two states that aren't. */
    async function serveDeflated(reply: (response: ServerResponse, state: JsonFields) => Promise<void>) {
      const peer = await serve(async (response) =>
        reply(response, await writeJsonFields({ list, own: 1 }, { mayDeflate: true })),
      )
      const call = createInternalClient({ users: [peer] }, () => 'token')
      return serve(async (response) => {
        const { title, state } = await call(endpoint, {})
        const before = await writeJsonFields({ before: items })
        const after = await writeJsonFields({ after: [] })
        await replyJoined(response, new JoinedFields([before, state, after], { title }), [])
      })
    }

    test('has every field, by gzip', async () => {
      const url = await serveDeflated((response, state) =>
        replyJsonWithTail(response, { title: 'ü' }, ['state', state]),
      )

      const answer = await fetch(url)

      expect(answer.headers.get('content-encoding')).toBe('gzip')
      const text = await answer.text()
      expect(answer.headers.get(gatewayHeaders.inflatedLength)).toBe(String(Buffer.byteLength(text)))
      expect(JSON.parse(text)).toEqual({
        ...{ result: 'success', msg: '', before: items, list: items, own: 1, after: [], title: 'ü' },
      })
    })

    test('breaks off if its source breaks off', async () => {
      const url = await serveDeflated((response, { parts, length, deflatedFrom }) => {
        async function* half() {
          for await (const part of parts) yield part.subarray(0, part.length / 2)
          throw new Error('gone')
        }
        const state = new JsonFields(half(), length, deflatedFrom)
        return replyJsonWithTail(response, { title: '' }, ['state', state])
      })

      await expect(fetch(url).then((answer) => answer.text())).rejects.toThrow()
    })
  })
})
