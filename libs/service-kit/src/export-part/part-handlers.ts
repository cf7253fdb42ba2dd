import { Readable } from 'node:stream'
import {
  AppError,
  badRequest,
  type ExportCalls,
  type ExportScope,
  type exportedFile,
  type RecordCounts,
} from '@tms/contracts'
import type { z } from 'zod'
import { leaveUnannounced } from '../cache-lease/recent-changes.queries.ts'
import type { InternalHandler } from '../http/handler.ts'
import { readRecords, writeRecords } from '../ndjson/records.ts'
import { kitLocks } from '../postgres/kit-locks.ts'
import { streamSnapshot } from '../postgres/read-rows.ts'
import { allowPauses, type Tx, transact } from '../postgres/transaction.ts'
import type { PartContext, ServicePart } from './part.ts'

type PartHandlers<Context> = {
  readonly [Name in keyof ExportCalls]: InternalHandler<ExportCalls[Name], Context>
}

/** The files' real types are in the records. */
const CONTENT_TYPE = 'application/octet-stream'
/** Key space of the advisory locks on an organization's import; no other lock of the services uses it. */
const IMPORT_LOCKS = 7_301

/** The handlers of the internal calls that export and import a service's part of an organization. */
export function exportPartHandlers<R extends { readonly kind: string }, Context extends PartContext>(
  part: ServicePart<R, Context>,
): PartHandlers<Context> {
  const checkKey = (realmId: number, key: string): string => {
    const isOwn = part.filePrefixes(realmId).some((prefix) => key.startsWith(prefix))
    if (!isOwn || !/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(key))
      throw badRequest(`${JSON.stringify(key)} is no file of the organization`)
    return key
  }
  return {
    exportRecords: async ({ realm_id, scope }, { db }) => ({
      content: streamSnapshot(db, async function* (tx) {
        const about = await part.countRecords(tx, realm_id, scope)
        yield* writeRecords(about, withFiles(part, tx, realm_id, scope))
      }),
    }),
    importRecords: async ({ realm_id }, context, _requestId, content) => {
      const counts: Record<string, number> = {}
      await transact(context.db, async (tx) => {
        await allowPauses(tx)
        await lockImport(tx, realm_id)
        await leaveUnannounced(tx)
        const records = readRecords(content, part.records, counts)
        await part.importRecords(tx, realm_id, records, context)
        // Records that an import leaves unread still have to be checked for completeness.
        for await (const _ of records) continue
      }).catch((err: unknown) => {
        throw asTaken(err)
      })
      return { counts } satisfies { counts: RecordCounts }
    },
    exportFile: async ({ realm_id, key }, { blobs }) => {
      const name = checkKey(realm_id, key)
      const blob = await blobs.stat(name)
      const content = blob && (await blobs.get(name))
      if (!content) throw new AppError('NOT_FOUND', { message: `There is no file ${name}` })
      return { content, size: blob.size }
    },
    importFile: async ({ realm_id, key }, { blobs }, _requestId, content) => {
      await blobs.put(checkKey(realm_id, key), Readable.from(content), { contentType: CONTENT_TYPE })
      return {}
    },
    removeImport: async ({ realm_id }, context) => {
      await removePart(part, context, realm_id)
      return {}
    },
  }
}

/** Deletes everything that a service has of an organization, once an import of it that still runs has ended. */
export async function removePart(
  { removeRecords, filePrefixes }: Pick<ServicePart<never>, 'removeRecords' | 'filePrefixes'>,
  { db, blobs }: PartContext,
  realmId: number,
): Promise<void> {
  await transact(db, async (tx) => {
    await lockImport(tx, realmId)
    await leaveUnannounced(tx)
    await removeRecords(tx, realmId)
  })
  for (const prefix of filePrefixes(realmId))
    for await (const name of blobs.list(prefix)) await blobs.delete(name)
}

async function* withFiles<R extends { readonly kind: string }>(
  part: Pick<ServicePart<R>, 'exportRecords' | 'listFiles'>,
  tx: Tx,
  realmId: number,
  scope: ExportScope,
): AsyncGenerator<R | z.output<typeof exportedFile>> {
  yield* part.exportRecords(tx, realmId, scope)
  for await (const key of part.listFiles(tx, realmId, scope)) yield { kind: 'file', key }
}

/**
 * Waits for the end of an import that still runs, though its caller may have left, and excludes others until the
 * transaction ends.
 */
export async function lockImport(tx: Tx, realmId: number): Promise<void> {
  tx.lockRecord.add(kitLocks.import, [realmId])
  await tx.query('select pg_advisory_xact_lock($1, $2)', [IMPORT_LOCKS, realmId])
}

/** A constraint violation means that the archive, or its target, is wrong; so it becomes a BAD_REQUEST. */
function asTaken(err: unknown): unknown {
  const { code, table, detail } = (err ?? {}) as { code?: unknown; table?: unknown; detail?: unknown }
  if (code === '23505')
    return badRequest(`A value of a record is already taken in ${String(table)}: ${String(detail)}`)
  if (code === '23503')
    return badRequest(`A record in ${String(table)} refers to one that does not exist: ${String(detail)}`)
  return err
}
