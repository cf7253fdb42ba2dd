import type { MessagingRecord } from '@tms/contracts'
import { exportPartHandlers } from '@tms/service-kit'
import type { Context } from '../context.ts'
import { handleImportFile } from './import-file.ts'
import { checkUnused } from './import-records.ts'
import { messagingPart } from './messaging-part.ts'
import { isUnopened, noteImport } from './unopened-import.queries.ts'

const usual = exportPartHandlers<MessagingRecord, Context>(messagingPart)

/** The calls by which messaging gives and takes its part of an export. */
export const exportHandlers: typeof usual = {
  ...usual,
  importRecords: async (body, context, requestId, content) => {
    const { db, loadMissingUsers } = context
    await checkUnused(db, body.realm_id)
    // Noted before anything of the organization is here, so that whatever becomes of the import can be undone.
    await noteImport(db, body.realm_id)
    // By itself: what brings news of people must not wait for the import.
    await loadMissingUsers(body.realm_id)
    return usual.importRecords(body, context, requestId, content)
  },
  importFile: handleImportFile,
  // Not even the files of any other organization.
  removeImport: async (body, context, requestId) =>
    (await isUnopened(context.db, body.realm_id)) ? usual.removeImport(body, context, requestId) : {},
}
