import type { MessagingRecord } from '@tms/contracts'
import { exportPartHandlers } from '@tms/service-kit'
import type { Context } from '../kernel/context.ts'
import { handleImportFile } from './import-file.ts'
import { checkRealmIsEmpty } from './import-records.ts'
import { messagingPart } from './messaging-part.ts'
import { isImportPending, recordImport } from './pending-import.queries.ts'

const partHandlers = exportPartHandlers<MessagingRecord, Context>(messagingPart)

/** Internal endpoints that export and import messaging's part of an organization. */
export const exportHandlers: typeof partHandlers = {
  ...partHandlers,
  importRecords: async (body, context, requestId, content) => {
    const { db, loadMissingUsers } = context
    await checkRealmIsEmpty(db, body.realm_id)
    // Recorded before anything of the organization is stored, so that the import can always be undone.
    await recordImport(db, body.realm_id)
    // Outside the import's transaction: updates of users must not wait for the import.
    await loadMissingUsers(body.realm_id)
    return partHandlers.importRecords(body, context, requestId, content)
  },
  importFile: handleImportFile,
  // Never for any other organization, not even its files.
  removeImport: async (body, context, requestId) =>
    (await isImportPending(context.db, body.realm_id))
      ? partHandlers.removeImport(body, context, requestId)
      : {},
}
