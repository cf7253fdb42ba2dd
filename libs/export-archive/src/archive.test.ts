import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { gunzipSync, gzipSync } from 'node:zlib'
import { AppError, type ExportPart } from '@tms/contracts'
import { writeRecords } from '@tms/service-kit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ArchiveSource, checkArchive, packArchive, readArchive } from './index.ts'

const organization = { id: 3, string_id: 'x', name: 'X', url: 'https://x.example.com' }
const longKey = `attachments/3/${'a'.repeat(150)}/ü.txt`
const records: Readonly<Record<ExportPart, readonly { kind: string; id?: number; key?: string }[]>> = {
  realm: [
    { kind: 'organization', id: 3 },
    { kind: 'file', key: 'emoji/3/a.png' },
  ],
  users: [
    { kind: 'user', id: 1 },
    { kind: 'user', id: 2 },
  ],
  messaging: [
    { kind: 'message', id: 5 },
    { kind: 'file', key: longKey },
    { kind: 'file', key: 'attachments/3/gone' },
  ],
}
const fileBytes = (key: string) => Buffer.from(key.repeat(1_000))

async function* each<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

const source: ArchiveSource = {
  records: async (part) => writeRecords(records[part].length, each(records[part])),
  file: async (_part, key) => {
    if (key.endsWith('gone')) throw new AppError('NOT_FOUND')
    return { content: Readable.from([fileBytes(key)]), size: fileBytes(key).length }
  },
}

describe('an archive', () => {
  let folder: string
  let path: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tms-archive-'))
    path = join(folder, 'archive.tar.gz')
  })
  afterEach(() => rm(folder, { recursive: true }))

  const pack = (
    options: { source?: ArchiveSource; signal?: AbortSignal; onProgress?: (p: object) => void } = {},
  ) =>
    packArchive({
      source,
      organization,
      scope: 'full',
      time: new Date(1_700_000_000_000),
      spoolFolder: join(folder, 'spool'),
      signal: new AbortController().signal,
      onProgress: () => {},
      ...options,
    })
  const write = async () => {
    const packed = await pack()
    await writeFile(path, packed.content())
    return packed
  }
  const check = () => checkArchive(path, () => {})

  test('is read as it was packed: manifest, records, files', async () => {
    const { manifest, size } = await write()
    const found: unknown[] = []
    for await (const entry of readArchive(path)) {
      if (entry.kind === 'manifest') {
        found.push(entry.manifest)
        continue
      }
      const chunks: Buffer[] = []
      for await (const chunk of entry.content) chunks.push(chunk as Buffer)
      const content = Buffer.concat(chunks)
      found.push(
        entry.kind === 'file'
          ? [entry.part, entry.key, content.equals(fileBytes(entry.key))]
          : [entry.part, content.toString()],
      )
    }

    const lines = (...values: object[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('')
    expect(found).toEqual([
      manifest,
      ['realm', lines(...records.realm, { kind: 'end', counts: { organization: 1, file: 1 } })],
      ['users', lines(...records.users, { kind: 'end', counts: { user: 2 } })],
      ['messaging', lines(...records.messaging, { kind: 'end', counts: { message: 1, file: 2 } })],
      ['realm', 'emoji/3/a.png', true],
      ['messaging', longKey, true],
    ])
    expect(manifest).toMatchObject({ format: 1, scope: 'full', organization, export_time: 1_700_000_000 })
    expect(manifest.parts.messaging).toMatchObject({ counts: { message: 1, file: 2 }, files: 1 })
    expect(await check()).toEqual(manifest)
    expect((await readFile(path)).length).toBe(size)
  })

  test('can be read by other programs as one stream', async () => {
    await write()

    expect(gunzipSync(await readFile(path)).toString('latin1')).toContain('"feature_level"')
  })

  test('reports progress and ends with everything done', async () => {
    const seen: { done: number; total: number }[] = []
    await pack({ onProgress: (progress) => seen.push(progress as (typeof seen)[number]) })

    expect(seen.at(-1)).toEqual({ done: 10, total: 10 })
    expect(seen.every(({ done, total }) => done <= total)).toBe(true)
  })

  test('leaves nothing on the disk after it was removed, was aborted, or its source failed', async () => {
    await (await pack()).remove()
    await expect(pack({ signal: AbortSignal.abort() })).rejects.toThrow()
    const broken: ArchiveSource = { ...source, records: async () => each([Buffer.from('{"kind":"user"}\n')]) }
    await expect(pack({ source: broken })).rejects.toThrow('broke off')
    const short: ArchiveSource = {
      ...source,
      file: async () => ({ content: Readable.from([Buffer.from('x')]), size: 2 }),
    }
    await expect(pack({ source: short })).rejects.toThrow()

    expect(await readdir(join(folder, 'spool'))).toEqual([])
  })

  test('removes records from the disk as soon as they are packed', async () => {
    const left = async () =>
      (await readdir(join(folder, 'spool'), { recursive: true })).filter((name) => name.endsWith('.ndjson'))
    let seen: string[] | null = null
    const watched: ArchiveSource = {
      ...source,
      file: async (part, key) => {
        seen = await left()
        return source.file(part, key)
      },
    }
    await pack({ source: watched })

    expect(seen).toEqual([])
  })

  test.each<[string, (tar: Buffer, packed: Buffer) => Buffer]>([
    ['is no archive at all', () => Buffer.from('hello')],
    ['is compressed nothing', () => gzipSync('')],
    ['is cut off', (_, packed) => packed.subarray(0, -100)],
    [
      'has a byte changed',
      (_, packed) => {
        const changed = Buffer.from(packed)
        changed.writeUInt8(changed.readUInt8(packed.length - 200) ^ 1, packed.length - 200)
        return changed
      },
    ],
    ['has a record changed, and is compressed anew', (tar) => replaced(tar, '"id":5', '"id":6')],
    ['has another format', (tar) => replaced(tar, '"format": 1', '"format": 2')],
    ['has a manifest with an unknown field', (tar) => replaced(tar, '"scope"', '"skope"')],
    ['has something else in it', (tar) => replaced(tar, 'users.ndjson', 'xsers.ndjson')],
  ])('is refused when it %s', async (_, damage) => {
    await write()
    const packed = await readFile(path)
    await writeFile(path, damage(gunzipSync(packed), packed))

    await expect(check()).rejects.toMatchObject({ code: 'BAD_REQUEST' })
  })

  test('of another version is refused with an error that names the version', async () => {
    await write()
    await writeFile(path, replaced(gunzipSync(await readFile(path)), '"format": 1', '"format": 2'))

    await expect(check()).rejects.toThrow('of version 2 of the format; this installation reads version 1')
  })

  test('that does not exist is not reported as damaged', async () => {
    await expect(check()).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

/** Replaces a text in a tar by another of the same length; names are in headers, whose checksums are recomputed. */
function replaced(tar: Buffer, from: string, to: string): Buffer {
  const at = tar.indexOf(from)
  tar.write(to, at)
  const header = at - (at % 512)
  if (at === header) {
    tar.fill(' ', header + 148, header + 156)
    const sum = tar.subarray(header, header + 512).reduce((total, byte) => total + byte, 0)
    tar.write(`${sum.toString(8).padStart(6, '0')}\0 `, header + 148)
  }
  return gzipSync(tar)
}
