import { type endpoints, exportTypes, scopeOfExportType } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import { changeExports } from './change-exports.ts'
import { insertExport } from './export.queries.ts'
import { checkMayAccess, checkMayStart } from './export.rules.ts'
import type { ExportContext } from './export-context.ts'

/** Creates an export, which a replica claims. Throws UNAUTHORIZED_PRINCIPAL or BAD_REQUEST. */
export const handleStartExport: Handler<typeof endpoints.realm.startExport, ExportContext> = async ({
  input: { export_type = exportTypes.public },
  caller: { realmId, userId, role },
  context,
  requestId,
}) => {
  const scope = scopeOfExportType(export_type)
  checkMayAccess(scope, role, context.fullExportRole)
  const created = await changeExports(
    context,
    { realmId, requestId },
    async (tx, _organization, existing) => {
      const createdAt = context.now()
      checkMayStart(existing, createdAt, context.maxExportsPerWeek)
      const result = await insertExport(tx, { realmId, actingUserId: userId, scope, createdAt })
      return { changed: result, op: 'started', result }
    },
  )
  if (!created) throw new Error('the created export is missing')
  context.wakeExporter()
  return { id: created.id }
}
