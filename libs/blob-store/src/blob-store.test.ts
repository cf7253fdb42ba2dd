import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type BlobStore, blobStoreVariables, openBlobStore } from './index.ts'

const folder = mkdtempSync(join(tmpdir(), 'tms-blobs-'))
const spool = join(folder, 'spool')
const TYPE = { contentType: 'text/plain' }
const bytes = (text: string) => Readable.from([Buffer.from(text)])
const open = (variables: Record<string, string>) =>
  openBlobStore(z.object(blobStoreVariables).parse({ UPLOADS_SPOOL_DIR: spool, ...variables }))

let s3: ChildProcess
let endpoint: string
beforeAll(async () => {
  const port = await freePort()
  endpoint = `http://127.0.0.1:${port}`
  const manifest = createRequire(import.meta.url).resolve('s3rver/package.json')
  const options = ['--directory', join(folder, 's3'), '--port', String(port), '--configure-bucket', 'files']
  s3 = spawn(process.execPath, [join(dirname(manifest), 'bin', 's3rver.js'), ...options], { stdio: 'ignore' })
  await untilAnswers(endpoint)
})
afterAll(() => {
  s3.kill()
  rmSync(folder, { recursive: true, force: true })
})

describe.each<[string, () => Promise<BlobStore>, string]>([
  [
    'a folder',
    () => open({ UPLOADS_URL: pathToFileURL(join(folder, 'folder')).href }),
    join(folder, 'folder', '.incoming'),
  ],
  [
    'S3',
    () =>
      open({
        UPLOADS_URL: 's3://files/some/prefix',
        UPLOADS_S3_ENDPOINT: endpoint,
        UPLOADS_S3_ACCESS_KEY_ID: 'S3RVER',
        UPLOADS_S3_SECRET_ACCESS_KEY: 'S3RVER',
      }),
    spool,
  ],
])('blobs in %s', (_, openStore, incoming) => {
  let store: BlobStore
  beforeAll(async () => {
    store = await openStore()
  })
  afterAll(() => store.close())
  const read = async (name: string, range?: { start: number; end: number }) => {
    const stream = await store.get(name, range)
    return stream && (await buffer(stream)).toString()
  }

  test('can be read whole or in part', async () => {
    expect(await store.put('a/b-1/c.txt', bytes('0123456789'), TYPE)).toBe(10)

    expect(await read('a/b-1/c.txt')).toBe('0123456789')
    expect(await read('a/b-1/c.txt', { start: 2, end: 4 })).toBe('234')
    expect(await store.stat('a/b-1/c.txt')).toEqual({ size: 10 })
  })

  test('may be empty', async () => {
    expect(await store.put('empty', bytes(''), TYPE)).toBe(0)
    expect(await store.stat('empty')).toEqual({ size: 0 })
  })

  test('may be large and come from any stream', async () => {
    const piece = Buffer.alloc(1024 * 1024, 'x')
    const size = await store.put('large', Readable.from(Array.from({ length: 12 }, () => piece)), TYPE)

    expect(size).toBe(12 * piece.length)
    expect(await read('large', { start: size - 3, end: size - 1 })).toBe('xxx')
  })

  test('that do not exist are null', async () => {
    expect(await read('none/there')).toBeNull()
    expect(await store.stat('none/there')).toBeNull()
    expect(await store.stat('none')).toBeNull()
  })

  test('do not exist after deletion, which may be repeated', async () => {
    await store.put('gone/soon', bytes('x'), TYPE)

    await store.delete('gone/soon')
    await store.delete('gone/soon')

    expect(await read('gone/soon')).toBeNull()
  })

  test('are listed by prefix', async () => {
    for (const name of ['list/1', 'list/2/3', 'listing']) await store.put(name, bytes('x'), TYPE)
    const listed: string[] = []
    for await (const name of store.list('list/')) listed.push(name)

    expect(listed.sort()).toEqual(['list/1', 'list/2/3'])
  })

  test('leave nothing behind if their stream breaks off', async () => {
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('the beginning')
        throw new Error('the client left')
      })(),
    )

    await expect(store.put('broken', broken, TYPE)).rejects.toThrow('the client left')

    expect(await store.stat('broken')).toBeNull()
    expect(readdirSync(incoming)).toEqual([])
  })

  test('that a process left unfinished are removed after a day', async () => {
    const now = Date.now() / 1000
    for (const [name, age] of [
      ['old', 90_000],
      ['new', 80_000],
    ] as const) {
      writeFileSync(join(incoming, name), 'x')
      utimesSync(join(incoming, name), now - age, now - age)
    }

    await store.sweep()

    expect(readdirSync(incoming)).toEqual(['new'])
    rmSync(join(incoming, 'new'))
  })

  test.each([
    '',
    '../x',
    'a/../x',
    '/etc/passwd',
    'a//b',
    '.hidden',
    'a/.b',
    'a b',
    'ä',
    'a\0',
    'a/',
    'x'.repeat(501),
  ])('cannot have the name %j', async (name) => {
    await expect((async () => store.get(name))()).rejects.toThrow('is no name for a blob')
    await expect((async () => store.put(name, bytes('x'), TYPE))()).rejects.toThrow('is no name for a blob')
  })
})

describe('the variables', () => {
  test.each([
    ['of another protocol', { UPLOADS_URL: 'http://example.com' }],
    ['of nothing', {}],
  ])('%s are refused', async (_, variables) => {
    await expect((async () => open(variables as Record<string, string>))()).rejects.toThrow()
  })
})

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

async function untilAnswers(url: string): Promise<void> {
  await fetch(url).catch(() => untilAnswers(url))
}
