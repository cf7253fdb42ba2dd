import { Readable } from 'node:stream'
import { AppError, type ArchiveManifest, exportCallsOf, internal, type RecordCounts } from '@tms/contracts'
import { type ArchiveEntry, readArchive } from '@tms/export-archive'
import type { InternalClient, InternalStreams } from '@tms/service-kit'
import {
  CommandError,
  describeFailure,
  ExitCode,
  getErrorMessage,
  UnavailableError,
} from '../kernel/errors.ts'
import { replaceSubdomain } from './replace-subdomain.ts'
import { rethrowStreamError } from './stream-error.ts'

/** Removing an imported organization may take as long as importing it. */
const REMOVAL_MS = 3_600_000

interface ImportOptions {
  readonly path: string
  /** Of the archive, which was checked to be complete. */
  readonly manifest: ArchiveManifest
  /** Null for the subdomain in the archive. */
  readonly subdomain: string | null
  /** Whether to remove first what a failed import left behind. */
  readonly isRestart: boolean
  readonly call: InternalClient
  readonly streams: InternalStreams
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

/**
 * Imports an organization: the records of each service, then the files, then the organization is activated. An error
 * before that removes everything that was imported.
 */
export async function importArchive(options: ImportOptions): Promise<{ url: string; counts: RecordCounts }> {
  const { manifest, call, isRestart, signal } = options
  const realm_id = manifest.organization.id
  if (isRestart) await removeLeftovers(call, realm_id)
  const state = { hasStarted: false }
  try {
    const counts = await importEntries(options, state)
    signal.throwIfAborted()
    const { url } = await call(internal.realm.activateImport, { realm_id }, { timeoutMs: REMOVAL_MS })
    return { url, counts }
  } catch (err) {
    if (state.hasStarted) await undoImport(call, realm_id, err)
    throw err
  }
}

async function importEntries(
  options: ImportOptions,
  state: { hasStarted: boolean },
): Promise<Record<string, number>> {
  const { path, manifest, streams, signal, onProgress } = options
  const realm_id = manifest.organization.id
  const counts: Record<string, number> = {}
  const files = Object.values(manifest.parts).reduce((sum, part) => sum + part.files, 0)
  let importedFiles = 0
  for await (const entry of readArchive(path)) {
    signal.throwIfAborted()
    if (entry.kind === 'manifest') continue
    if (entry.kind === 'file') {
      const { importFile } = exportCallsOf(entry.part)
      await streams
        .upload(importFile, { realm_id, key: entry.key }, createArchiveReader(entry.content), { signal })
        .catch(rethrowStreamError(entry.part, signal))
      onProgress(`Imported ${++importedFiles} of ${files} files`)
      continue
    }
    const { importRecords } = exportCallsOf(entry.part)
    const content = createRecordReader(entry, options)
    const uploaded = streams
      .upload(importRecords, { realm_id }, content, { signal })
      .catch(rethrowStreamError(entry.part, signal))
    if (entry.part === 'realm') await uploaded.catch((err: unknown) => recordWhetherStarted(err, state))
    state.hasStarted = true
    Object.assign(counts, (await uploaded).counts)
  }
  return counts
}

/** A client error means that nothing was imported; after a server error or a lost answer something may be. */
function recordWhetherStarted(err: unknown, state: { hasStarted: boolean }): never {
  state.hasStarted = !(err instanceof AppError) || err.status >= 500
  throw err
}

/** The records for the service, with progress reports. */
function createRecordReader(
  { part, content }: ArchiveEntry & { kind: 'records' },
  { subdomain, onProgress, manifest }: ImportOptions,
): Readable {
  const total = Object.values(manifest.parts[part].counts).reduce((sum, count) => sum + count, 0)
  let done = 0
  const withProgress = async function* () {
    for await (const chunk of content) {
      for (const byte of chunk as Buffer) if (byte === 10) done++
      onProgress(`Imported ${Math.min(done, total)} of ${total} records of ${part}`)
      yield chunk as Buffer
    }
  }
  const records =
    part === 'realm' && subdomain !== null ? replaceSubdomain(withProgress(), subdomain) : withProgress()
  return createArchiveReader(records)
}

/** Reports an unreadable archive as such, rather than as a failure of the service that receives it. */
function createArchiveReader(content: AsyncIterable<Buffer>): Readable {
  const readChunks = async function* () {
    const chunks = content[Symbol.asyncIterator]()
    try {
      for (;;) {
        // Not around `yield`, which throws failures of the receiving end.
        const { done, value } = await chunks.next().catch(throwUnreadable)
        if (done) return
        yield value
      }
    } finally {
      await chunks.return?.()
    }
  }
  return Readable.from(readChunks(), { objectMode: false })
}

function throwUnreadable(err: unknown): never {
  if (err instanceof AppError) throw err
  throw new CommandError(`The archive cannot be read: ${(err as Error).message}`, { cause: err })
}

async function removeLeftovers(call: InternalClient, realm_id: number): Promise<void> {
  await call(internal.realm.removeImport, { realm_id }, { timeoutMs: REMOVAL_MS }).catch((err: unknown) => {
    // There is nothing to remove; the import reports any other conflict itself.
    if (!(err instanceof AppError) || err.code !== 'BAD_REQUEST') throw err
  })
}

async function undoImport(call: InternalClient, realm_id: number, cause: unknown): Promise<void> {
  try {
    await removeLeftovers(call, realm_id)
  } catch (err) {
    const [why, whyNot] = [cause, err].map(getErrorMessage)
    const ErrorClass = describeFailure(err).code === ExitCode.unavailable ? UnavailableError : CommandError
    throw new ErrorClass(
      `${why}\nThe imported part could not be removed (${whyNot}); import --restart removes it.`,
      { cause: err },
    )
  }
}
