import { addAbortSignal } from 'node:stream'
import { type ExportPart, type ExportScope, exportCallsOf } from '@tms/contracts'
import { type ArchiveSource, type PackProgress, packArchive } from '@tms/export-archive'
import { exportPartHandlers } from '@tms/service-kit'
import { realmPart } from '../archive-part/realm-part.ts'
import type { Realm } from '../kernel/realms/realm.queries.ts'
import type { RealmExport } from './export.queries.ts'
import type { ExportContext } from './export-context.ts'

const own = exportPartHandlers(realmPart)

/** Folder of an organization's archives in the blob store. */
export const exportFolderOf = (realmId: number): string => `exports/${realmId}/`

interface Run {
  readonly signal: AbortSignal
  readonly onProgress: (progress: PackProgress) => void
}

/** Makes the archive of an export and puts it into the blob store. Returns its name there. */
export async function runExport(
  context: ExportContext,
  { id, attempt, realmId, scope, createdAt }: RealmExport,
  realm: Realm,
  { signal, onProgress }: Run,
): Promise<string> {
  const archive = await packArchive({
    source: sourceOf(context, realmId, scope as ExportScope, signal),
    organization: { id: realm.id, string_id: realm.stringId, name: realm.name, url: realm.url },
    scope: scope as ExportScope,
    time: createdAt,
    spoolFolder: context.spoolFolder,
    signal,
    onProgress,
  })
  try {
    const name = `${exportFolderOf(realmId)}${id}-${attempt}.tar.gz`
    const content = addAbortSignal(signal, archive.content())
    await context.blobs.put(name, content, { contentType: 'application/gzip' })
    return name
  } finally {
    await archive.remove()
  }
}

/** The parts of the other services, and this one's without a call. */
function sourceOf(
  context: ExportContext,
  realmId: number,
  scope: ExportScope,
  signal: AbortSignal,
): ArchiveSource {
  const requestId = ''
  return {
    records: async (part: ExportPart) => {
      const body = { realm_id: realmId, scope }
      if (part === 'realm') return (await own.exportRecords(body, context, requestId)).content
      return (await context.streams.download(exportCallsOf(part).exportRecords, body, { signal })).content
    },
    file: async (part: ExportPart, key: string) => {
      const body = { realm_id: realmId, key }
      const { content, size } =
        part === 'realm'
          ? await own.exportFile(body, context, requestId)
          : await context.streams.download(exportCallsOf(part).exportFile, body, { signal })
      if (size === null || size === undefined) throw new Error(`${part} does not say the size of ${key}`)
      return { content, size }
    },
  }
}
