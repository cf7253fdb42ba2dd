import { badRequest, type endpoints } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { changeExports } from './change-exports.ts'
import { markDeleted } from './export.queries.ts'
import { checkMayAccess } from './export.rules.ts'
import type { ExportContext } from './export-context.ts'

/** Deletes an export's archive; the export stays listed. Throws BAD_REQUEST or UNAUTHORIZED_PRINCIPAL. */
export const handleDeleteExport: Handler<typeof endpoints.realm.deleteExport, ExportContext> = async ({
  input: { export_id },
  caller: { realmId, role },
  context,
  requestId,
}) => {
  const file = await changeExports(context, { realmId, requestId }, async (tx, _organization, existing) => {
    const wanted = existing.find(({ id }) => id === export_id)
    if (!wanted) throw badRequest('Invalid data export ID')
    checkMayAccess(wanted.scope, role, context.fullExportRole)
    if (wanted.failedAt) throw badRequest('Export failed, nothing to delete')
    if (wanted.deletedAt) throw badRequest('Export already deleted')
    if (wanted.file === null) throw badRequest('Export still in progress')
    await markDeleted(tx, export_id, context.now())
    return { changed: wanted, op: 'deleted', result: wanted.file }
  })
  // No link leads to it any more, even if it can't be removed now.
  if (file !== null) await Promise.allSettled([context.blobs.delete(file)])
  return {}
}
