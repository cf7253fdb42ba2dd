import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import {
  AppError,
  ARCHIVE_FORMAT,
  type ArchiveManifest,
  archiveManifest,
  archivePaths,
  badRequest,
  type ExportPart,
  exportParts,
} from '@tms/contracts'
import { describeIssue, wordIssue } from '@tms/service-kit'
import { extract } from 'tar-stream'

/** The manifest is read into memory. */
const MAX_MANIFEST_BYTES = 1024 * 1024

/** An entry of an archive. The caller reads its content to the end or skips it, before taking the next entry. */
export type ArchiveEntry =
  | { readonly kind: 'manifest'; readonly manifest: ArchiveManifest }
  | { readonly kind: 'records'; readonly part: ExportPart; readonly content: Readable }
  | { readonly kind: 'file'; readonly part: ExportPart; readonly key: string; readonly content: Readable }

/**
 * Reads an archive from a file: the manifest, each service's records in the order of an import, the files. Throws
 * BAD_REQUEST if the file is no archive, is damaged, or has another version of the format.
 */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const entries = extract()
  // The loop below gets this pipeline's error from `entries`.
  const unpacked = pipeline(createReadStream(path), createGunzip(), entries)
  unpacked.catch(() => {})
  let position = 0
  try {
    for await (const entry of entries) {
      const { name } = entry.header
      const found = parseEntryName(name)
      if (!found || entry.header.type !== 'file')
        throw badRequest(`The archive has an unknown entry: '${name}'`)
      // Each file of records has a fixed position; all other files follow them.
      const at = found.kind === 'file' ? order.length : order.indexOf(name)
      if (at !== position) throw badRequest(`'${name}' is out of order`)
      if (found.kind !== 'file') position++
      const content = entry as unknown as Readable
      if (found.kind === 'manifest') yield { kind: 'manifest', manifest: await readManifest(content) }
      else yield { ...found, content }
      // Skips what the caller hasn't read.
      if (!content.destroyed) content.resume()
    }
  } catch (err) {
    throw toArchiveError(err)
  } finally {
    entries.destroy()
    await unpacked.catch(() => {})
  }
  if (position < order.length) throw badRequest(`The archive has no ${order[position]}`)
}

/** Reads a whole archive and compares it with its manifest, to find damage before an import begins. */
export async function checkArchive(path: string, onBytes: (bytes: number) => void): Promise<ArchiveManifest> {
  let manifest: ArchiveManifest | null = null
  const found = Object.fromEntries(
    exportParts.map((part) => [part, { sha256: '', files: 0, file_bytes: 0 }]),
  ) as Record<ExportPart, { sha256: string; files: number; file_bytes: number }>
  for await (const entry of readArchive(path)) {
    if (entry.kind === 'manifest') {
      manifest = entry.manifest
      continue
    }
    const hash = createHash('sha256')
    let bytes = 0
    try {
      for await (const chunk of entry.content) {
        if (entry.kind === 'records') hash.update(chunk as Buffer)
        bytes += (chunk as Buffer).length
        onBytes((chunk as Buffer).length)
      }
    } catch (err) {
      throw toArchiveError(err)
    }
    const part = found[entry.part]
    if (entry.kind === 'records') part.sha256 = hash.digest('hex')
    else {
      part.files++
      part.file_bytes += bytes
    }
  }
  if (!manifest) throw badRequest('The archive has no manifest')
  for (const part of exportParts) {
    const expected = manifest.parts[part]
    const { sha256, files, file_bytes } = found[part]
    if (expected.sha256 !== sha256)
      throw badRequest(
        `The archive is damaged: ${archivePaths.records(part)} does not have the checksum of the manifest`,
      )
    if (expected.files !== files || expected.file_bytes !== file_bytes)
      throw badRequest(`The archive is damaged: not all files of ${part} are there`)
  }
  return manifest
}

const order = [archivePaths.manifest, ...exportParts.map(archivePaths.records)]

function parseEntryName(
  name: string,
):
  | { kind: 'manifest' }
  | { kind: 'records'; part: ExportPart }
  | { kind: 'file'; part: ExportPart; key: string }
  | null {
  if (name === archivePaths.manifest) return { kind: 'manifest' }
  for (const part of exportParts) {
    if (name === archivePaths.records(part)) return { kind: 'records', part }
    const folder = archivePaths.file(part, '')
    if (name.startsWith(folder)) return { kind: 'file', part, key: name.slice(folder.length) }
  }
  return null
}

async function readManifest(content: Readable): Promise<ArchiveManifest> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of content) {
    bytes += (chunk as Buffer).length
    if (bytes > MAX_MANIFEST_BYTES) throw badRequest('The manifest of the archive is too large')
    chunks.push(chunk as Buffer)
  }
  const value = parseManifest(Buffer.concat(chunks).toString())
  if (value?.format !== ARCHIVE_FORMAT)
    throw badRequest(
      `The archive is of version ${JSON.stringify(value?.format)} of the format; this installation reads version ${ARCHIVE_FORMAT}`,
    )
  const parsed = archiveManifest.safeParse(value, { error: wordIssue })
  if (!parsed.success) throw badRequest(`The archive's ${describeIssue('manifest', parsed.error)}`)
  return parsed.data
}

function parseManifest(text: string): { format?: unknown } | null {
  try {
    return JSON.parse(text) as { format?: unknown } | null
  } catch {
    throw badRequest('The manifest is not JSON')
  }
}

/** Errors of decompressing and unpacking have no code, or zlib's; other errors come from the file system. */
function toArchiveError(err: unknown): unknown {
  if (err instanceof AppError) return err
  const { code, message } = err as NodeJS.ErrnoException
  if (code !== undefined && !code.startsWith('Z_')) return err
  return badRequest(`The file is no archive, or a damaged one (${message})`)
}
