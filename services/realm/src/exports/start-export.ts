import { type endpoints, exportTypes } from '@tms/contracts'
import type { Handler } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { changeExports } from './change-exports.ts'
import { insertExport } from './export.queries.ts'
import { checkMayHave, checkMayStart } from './export.rules.ts'

/** Begins an export, which a replica takes on. Throws UNAUTHORIZED_PRINCIPAL or BAD_REQUEST. */
export const handleStartExport: Handler<typeof endpoints.realm.startExport, Context> = async ({
  input: { export_type = exportTypes.public },
  caller: { realmId, userId, role },
  context,
  requestId,
}) => {
  const scope = export_type === exportTypes.full ? 'full' : 'public'
  checkMayHave(scope, role, context.fullExportRole)
  const begun = await changeExports(context, { realmId, requestId }, (tx, _organization, present) => {
    const createdAt = context.now()
    checkMayStart(present, createdAt, context.maxExportsPerWeek)
    return insertExport(tx, { realmId, actingUserId: userId, scope, createdAt })
  })
  if (!begun) throw new Error('an export that was begun is not there')
  context.wakeExporter()
  return { id: begun.id }
}
