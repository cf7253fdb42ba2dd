import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { packArchive } from '@tms/export-archive'
import { type InternalClient, type InternalStreams, writeRecords } from '@tms/service-kit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { failureOf } from '../failures.ts'
import { importArchive } from './import-archive.ts'

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

/** Takes all that comes, until this end breaks it off. */
const taking = async (content: Readable): Promise<void> => {
  const body = text(content)
  await body.catch((err: unknown) => {
    throw content.errored ?? err
  })
}
/** As a service that dies: what was on its way to it ends likewise. */
const dying = async (content: Readable): Promise<void> => {
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

  /** Of an archive that was found whole, but of which not all can be read any more. */
  const importing = async (first: object | string, cutBytes: number, take: typeof taking) => {
    const record = typeof first === 'string' ? first : JSON.stringify(first)
    const packed = await packArchive({
      source: {
        records: async (part) =>
          part === 'realm'
            ? each([Buffer.from(`${record}\n{"kind":"end","counts":{}}\n`)])
            : writeRecords(0, each([])),
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
      await take(content)
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
    }).catch(failureOf)
  }

  test('of what can not be read blames no service', async () => {
    const noise = { kind: 'organization', noise: Array.from({ length: 50_000 }, () => Math.random()).join() }
    expect(await importing(noise, 200_000, taking)).toEqual({
      code: 1,
      message: 'The archive can not be read: unexpected end of file',
    })
  })

  test('names the service that goes away', async () => {
    expect(await importing({ kind: 'organization' }, 0, dying)).toEqual({
      code: 3,
      message:
        'The realm service went away in the middle (the peer left without an answer). Run the command again once it answers.',
    })
  })
})
