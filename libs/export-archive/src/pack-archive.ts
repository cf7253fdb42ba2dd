import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import {
  AppError,
  ARCHIVE_FORMAT,
  type ArchiveManifest,
  type ArchivePart,
  archivePaths,
  type ExportPart,
  type ExportScope,
  exportParts,
  serverVersion,
} from '@tms/contracts'
import { type Pack, pack } from 'tar-stream'
import { type SpooledPart, spoolPart } from './spool.ts'

/** Where the contents of an archive come from. */
export interface ArchiveSource {
  /** A service's records as lines, from one snapshot. */
  records(part: ExportPart): Promise<AsyncIterable<Uint8Array>>
  /** A file's bytes. Throws NOT_FOUND if it has been deleted meanwhile. */
  file(
    part: ExportPart,
    key: string,
  ): Promise<{ readonly content: AsyncIterable<Uint8Array>; readonly size: number }>
}

/** Records and files that are done, and about how many there are. */
export interface PackProgress {
  readonly done: number
  readonly total: number
}

interface PackOptions {
  readonly source: ArchiveSource
  readonly organization: ArchiveManifest['organization']
  readonly scope: ExportScope
  /** When the export began. */
  readonly time: Date
  /** A folder on a local disk, with room for the uncompressed records and the archive. Created if it doesn't exist. */
  readonly spoolFolder: string
  readonly signal: AbortSignal
  readonly onProgress: (progress: PackProgress) => void
}

/** An archive on the disk until `remove` is called. */
export interface PackedArchive {
  readonly manifest: ArchiveManifest
  /** Bytes. */
  readonly size: number
  readonly content: () => Readable
  readonly remove: () => Promise<void>
}

/**
 * Messages refer to users, and users exist before they write: what the first snapshot refers to exists in the next
 * ones.
 */
const SNAPSHOT_ORDER: readonly ExportPart[] = ['messaging', 'users', 'realm']
/** Every tar ends with so many zeros. */
const TAR_END_BYTES = 1024

/** Makes an archive of an organization. Leaves nothing on the disk when it throws. */
export async function packArchive(options: PackOptions): Promise<PackedArchive> {
  await mkdir(options.spoolFolder, { recursive: true })
  const folder = await mkdtemp(join(options.spoolFolder, 'export-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    const body = join(folder, 'body.tar.gz')
    const progress = countProgress(options.onProgress)
    const spooled = await spoolAll(options, folder, progress)
    const parts = await writeBody(options, spooled, body, progress)
    const manifest: ArchiveManifest = {
      format: ARCHIVE_FORMAT,
      product_version: serverVersion.version,
      feature_level: serverVersion.featureLevel,
      export_time: Math.floor(options.time.getTime() / 1000),
      scope: options.scope,
      organization: options.organization,
      parts,
    }
    // The manifest comes first but its checksums are known last: it is compressed on its own, and the body follows
    // from the disk.
    const head = gzipSync(await packManifest(manifest))
    return {
      manifest,
      size: head.length + (await stat(body)).size,
      content: () => Readable.from(concatenate(head, body), { objectMode: false }),
      remove,
    }
  } catch (err) {
    await remove()
    throw err
  }
}

type Spooled = Readonly<Record<ExportPart, SpooledPart>>
type Counter = ReturnType<typeof countProgress>

function countProgress(onProgress: (progress: PackProgress) => void) {
  let [done, total] = [0, 0]
  return {
    expect: (records: number) => {
      total += records
      onProgress({ done, total: Math.max(done, total) })
    },
    advance: () => {
      done++
      onProgress({ done, total: Math.max(done, total) })
    },
  }
}

async function spoolAll(
  { source, signal }: PackOptions,
  folder: string,
  progress: Counter,
): Promise<Spooled> {
  const spooled: Partial<Record<ExportPart, SpooledPart>> = {}
  for (const part of SNAPSHOT_ORDER)
    spooled[part] = await spoolPart(part, untilAborted(await source.records(part), signal), folder, progress)
  return spooled as Spooled
}

/** Writes everything but the manifest, and returns its contents by part. */
async function writeBody(
  { source, signal }: PackOptions,
  spooled: Spooled,
  path: string,
  progress: Counter,
): Promise<Record<ExportPart, ArchivePart>> {
  const archive = pack()
  const written = pipeline(archive, createGzip(), createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  // Adding an entry then fails, too.
  written.catch((err: unknown) => archive.destroy(err as Error))
  try {
    for (const part of exportParts) {
      const { path: records, bytes } = spooled[part]
      await addEntry(archive, archivePaths.records(part), bytes, createReadStream(records))
      // They are in the archive now, and files need the room.
      await rm(records)
    }
    const parts: Partial<Record<ExportPart, ArchivePart>> = {}
    for (const part of exportParts) {
      let [files, file_bytes] = [0, 0]
      for await (const key of createInterface({ input: createReadStream(spooled[part].keysPath) })) {
        signal.throwIfAborted()
        progress.expect(1)
        const file = await source.file(part, key).catch(nullIfMissing)
        if (file) {
          await addEntry(archive, archivePaths.file(part, key), file.size, file.content)
          files++
          file_bytes += file.size
        }
        progress.advance()
      }
      const { counts, sha256 } = spooled[part]
      parts[part] = { counts, sha256, files, file_bytes }
    }
    archive.finalize()
    await written
    return parts as Record<ExportPart, ArchivePart>
  } catch (err) {
    archive.destroy()
    await written.catch(() => {})
    throw err
  }
}

async function addEntry(
  archive: Pack,
  name: string,
  size: number,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const entry = archive.entry({ name, size, mtime: new Date(0) })
  await pipeline(content, entry)
}

async function packManifest(manifest: ArchiveManifest): Promise<Buffer> {
  const archive = pack()
  archive.entry({ name: archivePaths.manifest, mtime: new Date(0) }, `${JSON.stringify(manifest, null, 2)}\n`)
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).subarray(0, -TAR_END_BYTES)
}

async function* concatenate(head: Buffer, path: string): AsyncGenerator<Buffer> {
  yield head
  yield* createReadStream(path) as AsyncIterable<Buffer>
}

async function* untilAborted<T>(values: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const value of values) {
    signal.throwIfAborted()
    yield value
  }
}

function nullIfMissing(err: unknown): null {
  if (err instanceof AppError && err.code === 'NOT_FOUND') return null
  throw err
}
