import { Readable } from 'node:stream'
import { setImmediate as turn } from 'node:timers/promises'
import { AppError, internalEndpoint } from '@tms/contracts'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { replyError } from '../http/reply.ts'
import { serveInternalCall } from '../http/serve-internal.ts'
import { type HttpServer, startHttpServer } from '../http/server.ts'
import { createLog } from '../telemetry/log.ts'
import { createInternalStreams, type InternalStreams } from './internal-streams.ts'

const down = internalEndpoint({
  name: 'down',
  owner: 'realm',
  path: '/internal/down',
  body: z.object({ bytes: z.int(), breaksAt: z.int().optional() }),
  response: z.object({}),
  stream: 'down',
})
const up = internalEndpoint({
  name: 'up',
  owner: 'realm',
  path: '/internal/up',
  body: z.object({ refuseAfter: z.int().optional(), word: z.string() }),
  response: z.object({ bytes: z.int(), word: z.string() }),
  stream: 'up',
})

const MIB = 1024 * 1024

async function* bytes(count: number, breaksAt = Number.POSITIVE_INFINITY, onChunk = (_: number) => {}) {
  for (let sent = 0; sent < count; sent += MIB) {
    if (sent >= breaksAt) throw new Error('broken')
    onChunk(sent)
    yield Buffer.alloc(Math.min(MIB, count - sent), 'x')
  }
}

describe('streams between services', () => {
  let server: HttpServer
  let streams: InternalStreams
  /** What the other side has produced so far, and how it ended. */
  const seen = { made: 0, left: false, uploadError: null as unknown }

  beforeAll(async () => {
    const log = createLog('test', 'silent')
    const handleDown = async (body: unknown) => {
      const { bytes: count, breaksAt } = body as z.output<typeof down.body>
      const made = bytes(count, breaksAt, (sent) => {
        seen.made = sent
      })
      const watched = async function* () {
        try {
          yield* made
        } finally {
          seen.left = true
        }
      }
      return { content: watched(), ...(breaksAt === undefined ? { size: count } : {}) }
    }
    const handleUp = async (body: unknown, _context: unknown, _id: string, content?: Readable) => {
      const { refuseAfter, word } = body as z.output<typeof up.body>
      let count = 0
      try {
        for await (const chunk of content ?? []) {
          count += (chunk as Buffer).length
          if (refuseAfter !== undefined && count > refuseAfter)
            throw new AppError('BAD_REQUEST', { message: 'Too much' })
        }
      } catch (err) {
        seen.uploadError = err
        throw err
      }
      return { bytes: count, word }
    }
    server = await startHttpServer({
      host: '127.0.0.1',
      port: 0,
      log,
      metrics: new Registry(),
      probes: [],
      drainMs: 0,
      api: (request, response) => {
        const [path, query = ''] = (request.url ?? '').split('?')
        const route =
          path === down.path ? { endpoint: down, handle: handleDown } : { endpoint: up, handle: handleUp }
        serveInternalCall(route, { request, response, query }, {}, '').catch((err: unknown) => {
          if (response.headersSent) response.destroy()
          else replyError(response, err instanceof AppError ? err : new AppError('INTERNAL'))
        })
        return true
      },
    })
    streams = createInternalStreams(
      { realm: ['http://127.0.0.1:1', `http://127.0.0.1:${server.port}`] },
      () => 'token',
    )
  })
  afterAll(() => server.close())

  test('downloads are complete, with their size, from the first available replica', async () => {
    const { content, size } = await streams.download(down, { bytes: 5 * MIB + 3 })

    expect(size).toBe(5 * MIB + 3)
    expect(await countBytes(content)).toBe(5 * MIB + 3)
  })

  test('a download that breaks off ends in an error', async () => {
    const { content } = await streams.download(down, { bytes: 9 * MIB, breaksAt: 3 * MIB })

    await expect(countBytes(content)).rejects.toThrow()
  })

  test('a download is produced only as it is read, and its source notices if the reader leaves', async () => {
    seen.left = false
    const { content } = await streams.download(down, { bytes: 500 * MIB })
    for await (const _ of content) break

    while (!seen.left) await turn()
    expect(seen.made).toBeLessThan(100 * MIB)
  })

  test('uploads are complete, with parameters in any characters', async () => {
    const answer = await streams.upload(up, { word: 'Überraschung & ?' }, Readable.from(bytes(5 * MIB + 3)))

    expect(answer).toEqual({ bytes: 5 * MIB + 3, word: 'Überraschung & ?' })
  })

  test('a sender that is refused in the middle gets the error and stops sending', async () => {
    let sent = 0
    const content = Readable.from(
      bytes(5_000 * MIB, undefined, (at) => {
        sent = at
      }),
    )

    await expect(streams.upload(up, { refuseAfter: 2 * MIB, word: '' }, content)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'Too much',
    })
    expect(sent).toBeLessThan(1_000 * MIB)
    expect(content.destroyed).toBe(true)
  })

  test('if the source breaks off, the sender gets its error and the receiver notices', async () => {
    seen.uploadError = null
    const content = Readable.from(bytes(9 * MIB, 3 * MIB))

    await expect(streams.upload(up, { word: '' }, content)).rejects.toThrow('broken')
    while (seen.uploadError === null) await turn()
  })

  test('a call without an available replica fails with that reason', async () => {
    const away = createInternalStreams({ realm: ['http://127.0.0.1:1'] }, () => 'token')

    await expect(away.download(down, { bytes: 1 })).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  })
})

async function countBytes(content: AsyncIterable<Uint8Array>): Promise<number> {
  let count = 0
  for await (const chunk of content) count += chunk.length
  return count
}
