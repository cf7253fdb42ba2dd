import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { packArchive } from '@tms/export-archive'
import { type InternalClient, type InternalStreams, writeRecords } from '@tms/service-kit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { describeFailure } from '../kernel/errors.ts'
import { importArchive } from './import-archive.ts'

async function* toAsyncIterable<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

/** Reads the whole upload, or until the sender aborts it. */
const acceptUpload = async (content: Readable): Promise<void> => {
  const body = text(content)
  await body.catch((err: unknown) => {
    throw content.errored ?? err
  })
}
/** Fails as if the service died, which ends the upload too. */
const failUpload = async (content: Readable): Promise<void> => {
  const reason = new Error('the peer left without an answer')
  content.on('error', () => {}).destroy(reason)
  throw reason
}

describe('an import', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tms-import-'))
    path = join(folder, 'archive.tar.gz')
  })
  afterEach(() => rm(folder, { recursive: true }))

  /** Imports an archive that passed the check, and from which `cutBytes` were cut since. */
  const runImport = async (first: object | string, cutBytes: number, receive: typeof acceptUpload) => {
    const record = typeof first === 'string' ? first : JSON.stringify(first)
    const packed = await packArchive({
      source: {
        records: async (part) =>
          part === 'realm'
            ? toAsyncIterable([Buffer.from(`${record}\n{"kind":"end","counts":{}}\n`)])
            : writeRecords(0, toAsyncIterable([])),
        file: async () => ({ content: Readable.from([]), size: 0 }),
      },
      organization: { id: 3, string_id: 'x', name: 'X', url: 'https://x.example.com' },
      scope: 'full',
      time: new Date(),
      spoolFolder: join(folder, 'spool'),
      signal: new AbortController().signal,
      onProgress: () => {},
    })
    await writeFile(path, packed.content())
    await truncate(path, packed.size - cutBytes)
    const upload = async (_endpoint: unknown, _body: unknown, content: Readable) => {
      await receive(content)
      return { counts: {} }
    }
    return importArchive({
      path,
      manifest: packed.manifest,
      subdomain: 'y',
      isRestart: false,
      call: (async () => ({ url: 'https://y.example.com' })) as unknown as InternalClient,
      streams: { upload } as unknown as InternalStreams,
      signal: new AbortController().signal,
      onProgress: () => {},
    }).catch(describeFailure)
  }

  test('reports an unreadable archive rather than a failed service', async () => {
    const noise = { kind: 'organization', noise: Array.from({ length: 50_000 }, () => Math.random()).join() }
    expect(await runImport(noise, 200_000, acceptUpload)).toEqual({
      code: 1,
      message: 'The archive cannot be read: unexpected end of file',
    })
  })

  test('names the service that closes the connection', async () => {
    expect(await runImport({ kind: 'organization' }, 0, failUpload)).toEqual({
      code: 3,
      message:
        'The realm service closed the connection (the peer left without an answer). Run the command again when it answers.',
    })
  })
})
