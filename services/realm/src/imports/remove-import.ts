import { badRequest, exportCallsOf, type internal } from '@tms/contracts'
import { type InternalHandler, lockImport, removePart, transact } from '@tms/service-kit'
import { realmPart } from '../archive-part/realm-part.ts'
import type { Context } from '../kernel/context.ts'
import { isBeingImported } from './import-state.queries.ts'

/** A million messages take minutes to delete; too small reports a failure to the operator although it goes on. */
const REMOVAL_MS = 1_800_000

/**
 * Deletes an unfinished import in all services. Throws BAD_REQUEST for an organization that isn't being imported, of
 * which nothing is deleted.
 */
export const handleRemoveImport: InternalHandler<typeof internal.realm.removeImport, Context> = async (
  { realm_id },
  context,
  requestId,
) => {
  const isImporting = await transact(context.db, async (tx) => {
    await lockImport(tx, realm_id)
    return isBeingImported(tx, realm_id)
  })
  if (!isImporting) throw badRequest(`Organization ${realm_id} is not being imported`)
  const options = { requestId, timeoutMs: REMOVAL_MS }
  for (const owner of ['messaging', 'users'] as const)
    await context.call(exportCallsOf(owner).removeImport, { realm_id }, options)
  // Its row goes last: while it exists, this can be repeated.
  await removePart(realmPart, context, realm_id)
  return {}
}
