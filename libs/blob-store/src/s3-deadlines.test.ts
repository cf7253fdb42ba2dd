import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, expect, test } from 'vitest'
import { createS3Store } from './s3-store.ts'

const spoolFolder = mkdtempSync(join(tmpdir(), 'tms-spool-'))
afterAll(() => rmSync(spoolFolder, { recursive: true, force: true }))

let server: Server
const sockets = new Set<Socket>()
/** A store whose S3 server handles each connection as the test defines. */
async function storeAt(serve: (socket: Socket) => void) {
  server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    serve(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return createS3Store(
    {
      ...{ bucket: 'files', prefix: '', endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1' },
      ...{
        ca: undefined,
        credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
        usesPathStyle: true,
        spoolFolder,
      },
    },
    { connectMs: 200, answerMs: 200, silentMs: 200, idleMs: 200 },
  )
}
afterEach(() => {
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  server.close()
})

const TYPE = { contentType: 'text/plain' }
const piece = Buffer.alloc(64 * 1024, 'x')

test.each([
  ['opened', (store) => store.get('a')],
  ['looked at', (store) => store.stat('a')],
  ['deleted', (store) => store.delete('a')],
  ['listed', (store) => store.list('')[Symbol.asyncIterator]().next()],
  ['stored', (store) => store.put('a', Readable.from([piece]), TYPE)],
  ['stored when they are large', (store) => store.put('a', Readable.from(Array(640).fill(piece)), TYPE)],
] satisfies [string, (store: Awaited<ReturnType<typeof storeAt>>) => Promise<unknown>][])(
  'blobs that cannot be %s by a server that says nothing are given up in time',
  async (_, work) => {
    const store = await storeAt((socket) => socket.pause())
    await expect(work(store)).rejects.toMatchObject({ code: 'ETIMEDOUT' })
    store.close()
  },
  10_000,
)

test('a download that sends no more bytes fails', async () => {
  const store = await storeAt((socket) => {
    socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n01234'))
  })
  const content = await store.get('a')
  await expect(buffer(content as Readable)).rejects.toThrow('S3 sent nothing for too long')
  store.close()
})

test('a slow reader that pauses longer than a server may gets the whole blob', async () => {
  const size = 4 * 1024 * 1024
  const store = await storeAt((socket) => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`)
      socket.write(Buffer.alloc(size, 'x'))
    })
  })
  const content = (await store.get('a')) as Readable
  let bytes = 0
  for await (const chunk of content) {
    if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 700))
    bytes += (chunk as Buffer).length
  }
  expect(bytes).toBe(size)
  store.close()
})
