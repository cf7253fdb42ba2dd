import { type MessagingRecord, messagingRecord } from '@tms/contracts'
import type { ServicePart } from '@tms/service-kit'
import { blobFolderOf, blobNameOf } from '../attachments/path-id.rules.ts'
import { exportRecords } from './export-records.ts'
import { countRecords, listExportedPathIds } from './exported-record.queries.ts'
import { importRecords } from './import-records.ts'
import { removeImport } from './remove-import.ts'

/** What of an organization's export is from here: its channels and conversations, all that is in them, and files. */
export const messagingPart: ServicePart<MessagingRecord> = {
  records: messagingRecord,
  countRecords,
  exportRecords,
  listFiles: async function* (tx, realmId, scope) {
    for await (const pathId of listExportedPathIds(tx, realmId, scope)) yield blobNameOf(pathId)
  },
  importRecords,
  removeRecords: removeImport,
  filePrefixes: (realmId) => [blobFolderOf(realmId)],
}
