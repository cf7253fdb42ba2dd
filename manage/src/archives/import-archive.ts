import { Readable } from 'node:stream'
import { AppError, type ArchiveManifest, exportCallsOf, internal, type RecordCounts } from '@tms/contracts'
import { type ArchiveEntry, readArchive } from '@tms/export-archive'
import type { InternalClient, InternalStreams } from '@tms/service-kit'
import { CommandError, ExitCode, failureOf, messageOf, UnavailableError } from '../failures.ts'
import { throwBrokenOff } from './broken-off.ts'
import { moveOrganization } from './move-organization.ts'

/** What was imported may take as long to go again. */
const REMOVAL_MS = 3_600_000

interface ImportOptions {
  readonly path: string
  /** Of the archive, which was found whole. */
  readonly manifest: ArchiveManifest
  /** Null for the one that it had. */
  readonly subdomain: string | null
  /** Whether what a broken import has left is taken away first. */
  readonly isRestart: boolean
  readonly call: InternalClient
  readonly streams: InternalStreams
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

/**
 * Imports an organization: each service takes its part, then the files come, and then the organization is opened. What
 * fails before that is taken away everywhere. Throws the refusal of a service, or of the archive.
 */
export async function importArchive(options: ImportOptions): Promise<{ url: string; counts: RecordCounts }> {
  const { manifest, call, isRestart, signal } = options
  const realm_id = manifest.organization.id
  if (isRestart) await removeLeftovers(call, realm_id)
  const state = { isBegun: false }
  try {
    const counts = await importEntries(options, state)
    signal.throwIfAborted()
    const { url } = await call(internal.realm.openImport, { realm_id }, { timeoutMs: REMOVAL_MS })
    return { url, counts }
  } catch (err) {
    if (state.isBegun) await takeAway(call, realm_id, err)
    throw err
  }
}

async function importEntries(
  options: ImportOptions,
  state: { isBegun: boolean },
): Promise<Record<string, number>> {
  const { path, manifest, streams, signal, onProgress } = options
  const realm_id = manifest.organization.id
  const counts: Record<string, number> = {}
  const files = Object.values(manifest.parts).reduce((sum, part) => sum + part.files, 0)
  let kept = 0
  for await (const entry of readArchive(path)) {
    signal.throwIfAborted()
    if (entry.kind === 'manifest') continue
    if (entry.kind === 'file') {
      const { importFile } = exportCallsOf(entry.part)
      await streams
        .upload(importFile, { realm_id, key: entry.key }, asOfArchive(entry.content), { signal })
        .catch(throwBrokenOff(entry.part, signal))
      onProgress(`Imported ${++kept} of ${files} files`)
      continue
    }
    const { importRecords } = exportCallsOf(entry.part)
    const content = recordsOf(entry, options)
    const uploaded = streams
      .upload(importRecords, { realm_id }, content, { signal })
      .catch(throwBrokenOff(entry.part, signal))
    if (entry.part === 'realm') await uploaded.catch((err: unknown) => noteIfBegun(err, state))
    state.isBegun = true
    Object.assign(counts, (await uploaded).counts)
  }
  return counts
}

/** Whether a refusal says that nothing was taken; an answer that didn't come says nothing. */
function noteIfBegun(err: unknown, state: { isBegun: boolean }): never {
  state.isBegun = !(err instanceof AppError) || err.status >= 500
  throw err
}

/** The records as the service takes them, and how far they are. */
function recordsOf(
  { part, content }: ArchiveEntry & { kind: 'records' },
  { subdomain, onProgress, manifest }: ImportOptions,
): Readable {
  const total = Object.values(manifest.parts[part].counts).reduce((sum, count) => sum + count, 0)
  let done = 0
  const watched = async function* () {
    for await (const chunk of content) {
      for (const byte of chunk as Buffer) if (byte === 10) done++
      onProgress(`Imported ${Math.min(done, total)} of ${total} records of ${part}`)
      yield chunk as Buffer
    }
  }
  const records = part === 'realm' && subdomain !== null ? moveOrganization(watched(), subdomain) : watched()
  return asOfArchive(records)
}

/** What can't be read of it is told as such: whoever gets it is not the one who fails then. */
function asOfArchive(content: AsyncIterable<Buffer>): Readable {
  const told = async function* () {
    const chunks = content[Symbol.asyncIterator]()
    try {
      for (;;) {
        // Not around what is yielded, where it hears of the other end's failures.
        const { done, value } = await chunks.next().catch(throwUnreadable)
        if (done) return
        yield value
      }
    } finally {
      await chunks.return?.()
    }
  }
  return Readable.from(told(), { objectMode: false })
}

function throwUnreadable(err: unknown): never {
  if (err instanceof AppError) throw err
  throw new CommandError(`The archive can not be read: ${(err as Error).message}`, { cause: err })
}

async function removeLeftovers(call: InternalClient, realm_id: number): Promise<void> {
  await call(internal.realm.removeImport, { realm_id }, { timeoutMs: REMOVAL_MS }).catch((err: unknown) => {
    // Then there is nothing to take away, and what is in the way is told by the import.
    if (!(err instanceof AppError) || err.code !== 'BAD_REQUEST') throw err
  })
}

async function takeAway(call: InternalClient, realm_id: number, cause: unknown): Promise<void> {
  try {
    await removeLeftovers(call, realm_id)
  } catch (err) {
    const [why, whyNot] = [cause, err].map(messageOf)
    const Told = failureOf(err).code === ExitCode.away ? UnavailableError : CommandError
    throw new Told(
      `${why}\nWhat was imported until then could not be taken away (${whyNot}); import --restart does it.`,
      { cause: err },
    )
  }
}
